"""Compiled functions: once per shape, inlined where another is compiled, on any compiler."""

import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

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
    @compiled(static=("power",))
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
    monkeypatch.setattr(compiling, "_QUICK", {"xla_no_such_thing": "true"})

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


# ---- executables between processes --------------------------------------------------------------

PROCESS = """
import sys, time
import jax, jax.numpy as jnp, numpy as np
from counsel.models import compiling, gp
from counsel.models.kernels import SquaredExponential

traced = []
def count(jaxpr_event, seconds, **_):
    if jaxpr_event.endswith("jaxpr_trace_duration"):
        traced.append(jaxpr_event)
jax.monitoring.register_event_duration_secs_listener(count)

data = gp.Data.padded(np.array([[0.1], [0.5], [0.9]]), np.array([1.0, -1.0, 0.5]))
belief = gp.posterior(SquaredExponential(np.array([0.3])), np.asarray(0.01), data)
print(float(belief.log_evidence).hex(), float(belief.trend).hex(), type(belief).__name__)
print(len(traced))
"""


def run(folder: Path, script: str = PROCESS) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "COUNSEL_CACHE": str(folder)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """A cache in which one process left an executable, and what that process said."""
    folder = tmp_path_factory.mktemp("made") / "cache"
    return folder, run(folder)


def test_another_process_runs_the_same_executable_without_tracing(
    made: tuple[Path, list[str]],
) -> None:
    folder, (first, traced) = made
    again, not_traced = run(folder)
    assert again == first
    assert int(traced) > 0
    assert int(not_traced) == 0
    assert len(list(folder.glob("counsel-posterior-*"))) == 1


def test_a_damaged_file_is_made_again(tmp_path: Path, made: tuple[Path, list[str]]) -> None:
    folder, (first, traced) = made
    (kept,) = shutil.copytree(folder, tmp_path / "cache").glob("counsel-posterior-*")
    whole = kept.read_bytes()
    kept.write_bytes(b"nonsense")
    assert run(kept.parent) == [first, traced]
    assert len(kept.read_bytes()) == pytest.approx(len(whole), rel=0.1)


DEVICES = """
import os
flags = os.environ.get("XLA_FLAGS", "")
os.environ["XLA_FLAGS"] = f"{flags} --xla_force_host_platform_device_count=2"
import jax, numpy as np
from counsel.models import compiling, gp
from counsel.models.fit import units_of

loaded = []
jax.monitoring.register_event_duration_secs_listener(lambda event, *_, **__: loaded.append(event))
data = gp.Data.padded(np.array([[0.1], [0.5]]), np.array([1.0, -1.0]))
for device in jax.devices():
    for _ in ("made", "loaded"):
        with jax.default_device(device):
            offset, scale = units_of(data)
        assert scale.devices() == {device}, scale.devices()
        print(loaded.count(compiling.LOADED), float(scale).hex())
        compiling.forget()
"""


def test_programs_run_on_the_device_that_was_chosen(tmp_path: Path) -> None:
    """JAX's host platform as two devices: a program is compiled for each, and read back."""
    said = [line.split() for line in run(tmp_path, DEVICES)]
    assert [int(count) for count, _ in said] == [0, 1, 1, 2]
    assert len({scale for _, scale in said}) == 1


@pytest.mark.parametrize("content", [b"", b"nonsense", pickle.dumps((b"x", None, None, None))])
def test_a_damaged_file_is_not_read(
    content: bytes, tmp_path: Path, made: tuple[Path, list[str]]
) -> None:
    (kept,) = shutil.copytree(made[0], tmp_path / "cache").glob("counsel-posterior-*")
    assert compiling._load(kept) is not None
    kept.write_bytes(content)
    assert compiling._load(kept) is None


def test_of_processes_that_need_a_program_at_once_one_compiles_it(tmp_path: Path) -> None:
    script = f"""
import pathlib, time
import jax
from counsel.models import compiling
here = pathlib.Path({str(tmp_path)!r})
made = []
compiling.jax.monitoring.register_event_duration_secs_listener(
    lambda event, seconds, **_: made.append(event))
slow = compiling._compile
def slowly(*args):
    time.sleep(1.0)  # all others come while one is at it
    made.append("compiled")
    return slow(*args)
compiling._compile = slowly
(here / f"ready-{{__import__('os').getpid()}}").touch()
while len(list(here.glob("ready-*"))) < 3:
    time.sleep(0.01)
{PROCESS}
print(made.count("compiled"), made.count(compiling.LOADED))
"""
    running = [
        subprocess.Popen(
            [sys.executable, "-c", script],
            env={**os.environ, "COUNSEL_CACHE": str(tmp_path / "cache")},
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    answers = [process.communicate()[0].splitlines() for process in running]
    assert [process.returncode for process in running] == [0, 0, 0]
    assert len({answer[0] for answer in answers}) == 1
    assert sorted(answer[2] for answer in answers) == ["0 1", "0 1", "1 0"]
    assert not list((tmp_path / "cache").glob("*.lock"))


def test_preparing_makes_programs_and_runs_none() -> None:
    @compiled()
    def pair(x: jax.Array) -> tuple[jax.Array, dict[str, jax.Array]]:
        return 2.0 * x, {"sum": jnp.sum(x)}

    with compiling.preparing():
        doubled, rest = pair(np.ones(3))
    np.testing.assert_array_equal(doubled, np.ones(3))
    assert rest["sum"] == 1.0
    assert pair.programs == 1
    np.testing.assert_array_equal(pair(np.ones(3))[0], np.full(3, 2.0))
    assert pair.programs == 1


def test_a_cache_that_cannot_be_written_is_no_error(
    tmp_path: Path, made: tuple[Path, list[str]]
) -> None:
    (tmp_path / "file").write_text("not a folder")
    assert run(tmp_path / "file")[0] == made[1][0]


def test_programs_with_code_from_elsewhere_or_with_lapack_are_not_kept(tmp_path: Path) -> None:
    script = """
import equinox as eqx, jax, jax.numpy as jnp, numpy as np
from counsel.models.compiling import compiled

class Mine(eqx.Module):
    x: jax.Array

def doubled(mine): return 2.0 * mine.x
def rooted(x): return jnp.linalg.cholesky(x)
def plain(x): return 2.0 * x
def stranger(x): return 2.0 * x

for function in (doubled, rooted, plain):
    function.__module__ = "counsel.models.gp"
one = np.ones(1)
for function, x in ((doubled, Mine(one)), (rooted, np.eye(1)), (plain, one), (stranger, one)):
    print(float(compiled()(function)(x).ravel()[0]))
"""
    for _ in range(2):
        assert run(tmp_path, script) == ["2.0", "1.0", "2.0", "2.0"]
    assert [path.name.split("-")[1] for path in tmp_path.glob("counsel-*")] == ["plain"]


def test_what_is_made_apart_answers_in_form_first() -> None:
    @compiled()
    def double(x: jax.Array) -> tuple[jax.Array, jax.Array]:
        return 2.0 * x, x.sum()

    with compiling.preparing(apart=True):
        both, total = double(np.ones(3))
    assert (both.shape, total.shape) == ((3,), ())
    both, total = double(np.ones(3))
    np.testing.assert_array_equal(both, np.full(3, 2.0))
    assert float(total) == 3.0
    assert double.programs == 1


def test_the_first_compilation_is_announced_once() -> None:
    @compiled()
    def double(x: jax.Array) -> jax.Array:
        return 2.0 * x

    told: list[str] = []
    with compiling.at_first_compilation(lambda: told.append("now")):
        for size in (3, 3, 4):
            double(np.ones(size))
    double(np.ones(5))
    assert told == ["now"]
    with compiling.at_first_compilation(lambda: told.append("again")):
        double(np.ones(5))
    assert told == ["now"]
