"""Compiled functions: once per shape, inlined where another is compiled, on any compiler."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from counsel.models import compiling
from counsel.models.compiling import compiled


def test_one_program_per_set_of_shapes() -> None:
    @compiled()
    def double(x: jax.Array) -> jax.Array:
        return 2.0 * x

    for size in (3, 3, 4, 3):
        np.testing.assert_array_equal(double(np.ones(size)), np.full(size, 2.0))
    assert double.programs == 2


def test_it_is_inlined_where_another_function_is_compiled_or_mapped() -> None:
    @compiled(static_argnames=("power",))
    def raised(x: jax.Array, *, power: int) -> jax.Array:
        return x**power

    @compiled()
    def outer(x: jax.Array) -> jax.Array:
        return raised(x, power=3) + 1.0

    x = np.array([1.0, 2.0])
    np.testing.assert_allclose(outer(x), x**3 + 1.0)
    np.testing.assert_allclose(jax.vmap(lambda v: raised(v, power=2))(x), x**2)
    np.testing.assert_allclose(jax.grad(lambda v: raised(v, power=2))(3.0), 6.0)
    assert (outer.programs, raised.programs) == (1, 0)


def test_a_compiler_that_does_not_know_the_option_compiles_without_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(compiling, "_QUICK", {"xla_no_such_thing": True})

    @compiled()
    def double(x: jax.Array) -> jax.Array:
        return 2.0 * x

    for _ in range(2):
        np.testing.assert_array_equal(double(np.ones(3)), np.full(3, 2.0))
    assert double.programs == 1


def test_other_errors_are_not_hidden() -> None:
    @compiled()
    def wrong(x: jax.Array) -> jax.Array:
        return x + jnp.ones(2)

    with pytest.raises(TypeError, match="add got incompatible shapes"):
        wrong(np.ones(3))
