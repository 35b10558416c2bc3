"""How compiled programs are made: with options that halve the time it takes to compile them.

XLA's newer code generator for the CPU takes twice as long as the older one over programs like
ours, of a hundred small steps, and the code is no faster. A person waits for every new program.
"""

from collections.abc import Callable
from functools import partial, update_wrapper
from typing import Any, Generic, TypeVar

import jax

R = TypeVar("R")

_QUICK: dict[str, bool | int | float | str] = {"xla_cpu_use_fusion_emitters": False}


class Compiled(Generic[R]):
    """A function that is compiled where it is called, and inlined where another is compiled.

    Options go with a whole program: JAX refuses them on a part of one.
    """

    def __init__(self, function: Callable[..., R], **options: Any) -> None:
        self.function = function
        self.plain = jax.jit(function, **options)
        self.quick = jax.jit(function, compiler_options=_QUICK, **options)
        update_wrapper(self, function)

    @property
    def programs(self) -> int:
        """How many programs were compiled so far: one for every new set of shapes."""
        jits: Any = {self.plain, self.quick}
        return sum(jit._cache_size() for jit in jits)

    def __call__(self, *args: Any, **kwargs: Any) -> R:
        if any(isinstance(leaf, jax.core.Tracer) for leaf in jax.tree.leaves((args, kwargs))):
            return self.function(*args, **kwargs)
        if jax.default_backend() != "cpu":
            return self.plain(*args, **kwargs)
        try:
            return self.quick(*args, **kwargs)
        except jax.errors.JaxRuntimeError as error:
            # The option is the compiler's own: a later one may not know it any more.
            if "No such compile option" not in str(error):
                raise
            self.quick = self.plain
            return self.plain(*args, **kwargs)


def compiled(**options: Any) -> Callable[[Callable[..., R]], Compiled[R]]:
    """`jax.jit` with our options, as a decorator."""
    return partial(Compiled, **options)
