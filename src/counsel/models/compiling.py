"""Compiles programs and keeps them between processes.

A person who starts a process waits for every program in it to be traced, lowered and compiled.
JAX's own cache saves the last of the three; here whole executables are kept, which saves all.
Compiling is also made faster: XLA's newer code generator for the CPU takes twice as long over
programs of a hundred small steps like ours, and the code is no faster; and with few data (`rows`),
unoptimised code is fast enough.

An executable is found again by what it was made from: the source files it was traced from, the
versions of JAX and Equinox, the processor, the function, the structure and shapes of its arguments.
A program that runs code from elsewhere (a user's own acquisition) is not kept here, because a
change in that code would go unnoticed; it is compiled as usual, with JAX's cache.
"""

import hashlib
import logging
import math
import os
import pickle
import platform
import re
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial, update_wrapper
from pathlib import Path
from typing import Any, Generic, TypeVar

import jax
import numpy as np
from jax.experimental import serialize_executable

from counsel.facts.wanted import check_wanted
from counsel.models.cache_folder import locked, read_private
from counsel.models.sources import digest_of

_LOG = logging.getLogger(__name__)
R = TypeVar("R")
Options = dict[str, str | bool]

_QUICK: Options = {
    "xla_cpu_use_fusion_emitters": False,
    # Several programs are compiled at once; splitting each of them only adds work.
    "xla_cpu_parallel_codegen_split_count": "1",
}
_QUICKEST: Options = {**_QUICK, "xla_backend_optimization_level": "0"}
# The event that JAX's monitoring receives when an executable is read from disk instead of compiled.
LOADED = "/counsel/executable_loaded"
# Up to this many rows of data, a program takes longer to optimise than it will ever run.
FEW = 16
# How long a process waits for a program that another one is compiling, in seconds.
_PATIENCE = 60.0
# Guards what threads share: the programs of all functions, and JAX's settings.
_SHARED = threading.RLock()
_TRUSTED = ("counsel", "builtins", "jax", "jaxlib")
# How many programs a function keeps in memory; older ones are read from disk or compiled again.
_KEPT = 48
_ALL: "weakref.WeakSet[Compiled[Any]]" = weakref.WeakSet()


class Compiled(Generic[R]):
    """A function that is compiled when called, and inlined into other compiled functions.

    `rows` counts the rows of data in the arguments; `static` names keyword arguments that each have
    their own program.
    """

    def __init__(
        self, function: Callable[..., R], rows: Callable[..., int] | None, static: tuple[str, ...]
    ) -> None:
        self.function = function
        self.rows = rows
        self.static = static
        self._programs: dict[Any, _Program[R]] = {}
        self._being_made: dict[Any, _Making[R]] = {}
        update_wrapper(self, function)
        _ALL.add(self)

    @property
    def programs(self) -> int:
        """The number of programs so far: one for every new structure of arguments."""
        return len(self._programs)

    def __call__(self, *args: Any, **kwargs: Any) -> R:
        fixed = tuple((name, kwargs.pop(name)) for name in self.static if name in kwargs)
        leaves, tree = jax.tree.flatten((args, kwargs))
        if any(isinstance(leaf, jax.core.Tracer) for leaf in leaves):
            return self.function(*args, **kwargs, **dict(fixed))
        arrays = [a if isinstance(a, jax.Array) else np.asarray(a) for a in leaves]
        key = tree, fixed, tuple((a.shape, a.dtype) for a in arrays), _chosen()
        program = self._programs.get(key)
        if program is None:
            few = self.rows is not None and self.rows(*args, **kwargs) <= FEW
            options = _QUICKEST if few else _QUICK
            if _MODE.apart:
                return self._prepared(key, arrays, options)
            program = self._made(key, arrays, options)
        if _MODE.preparing:
            return program.blank()
        check_wanted()
        return program(arrays)

    def _made(self, key: Any, arrays: list[Any], options: Options) -> "_Program[R]":
        """The program. One thread makes it; others that want another one do not wait for it."""
        with self._wanted(key) as making, making.lock:
            program = self._programs.get(key)
            if program is None:
                making.begun = True
                try:
                    program = self._make(key, arrays, options, making)
                    with _SHARED:
                        while len(self._programs) >= _KEPT:
                            del self._programs[next(iter(self._programs))]
                        self._programs[key] = program
                finally:
                    making.said.set()
            return program

    def _prepared(self, key: Any, arrays: list[Any], options: Options) -> R:
        """An answer of the right form, as soon as that is known: the program comes later."""
        with self._wanted(key) as making:
            with _SHARED:
                first, making.begun = not making.begun, True
            if first:
                make = partial(_alone, self._made, key, arrays, options)
                # Not a daemon: ended in the middle of a compilation, the process could crash.
                threading.Thread(target=make, name="counsel-compiling").start()
            making.said.wait()
            known = making.form or self._programs[key]
            return known.blank()

    @contextmanager
    def _wanted(self, key: Any) -> Iterator["_Making[R]"]:
        with _SHARED:
            making = self._being_made.setdefault(key, _Making())
            making.users += 1
        try:
            yield making
        finally:
            with _SHARED:
                making.users -= 1
                if making.users == 0:
                    del self._being_made[key]

    def _make(
        self, key: Any, arrays: list[Any], options: Options, making: "_Making[R]"
    ) -> "_Program[R]":
        """The program from disk, from another process that is just making it, or made here."""
        ours = all(_trusted(each) for each in (self.function, *_classes(key[0])))
        kept = _kept_at(self.function, key, options) if ours else None
        if kept is not None and (found := _load(kept)) is not None:
            return found
        if _MODE.at_first is not None:
            start, _MODE.at_first = _MODE.at_first, None
            start()
        if kept is None:
            return self._compile(key, arrays, options, None, making)
        with locked(kept, _PATIENCE) as waited:
            if waited and (found := _load(kept)) is not None:
                return found
            return self._compile(key, arrays, options, kept, making)

    def _compile(
        self,
        key: Any,
        arrays: list[Any],
        options: Options,
        kept: Path | None,
        making: "_Making[R]",
    ) -> "_Program[R]":
        tree, fixed, *_ = key
        shape: list[Any] = []  # the structure of the result, known once the function is traced

        def counsel_program(*leaves: Any) -> list[Any]:
            args, kwargs = jax.tree.unflatten(tree, leaves)
            answers, structure = jax.tree.flatten(self.function(*args, **kwargs, **dict(fixed)))
            shape[:] = [structure]
            return answers

        # JAX's cache must not mix up the executables of two similar programs.
        counsel_program.__name__ += "_kept" if kept is not None else ""
        lowered = jax.jit(counsel_program).lower(*arrays)
        forms = [(each.shape, str(each.dtype)) for each in lowered.out_info]
        making.form = _Form(shape[0], forms)
        making.said.set()
        # Calls to LAPACK need a set-up that JAX makes only when it lowers.
        if kept is None or "custom_call" in lowered.as_text():
            return _Program(_compile(lowered, options), shape[0], forms)
        with _out_of_jax_cache():
            executable = _compile(lowered, options)
        program: _Program[R] = _Program(executable, shape[0], forms)
        _keep(kept, program)
        return program


class _Form(Generic[R]):
    """The structure of a program's answer, and the shape and type of each array in it."""

    def __init__(self, structure: Any, forms: list[tuple[Any, str]]) -> None:
        self.structure = structure
        self.forms = forms

    def blank(self) -> R:
        """An answer of the right form that says nothing."""
        answer: R = jax.tree.unflatten(self.structure, [_blank(*form) for form in self.forms])
        return answer


class _Program(_Form[R]):
    """An executable and the form of its answer."""

    def __init__(self, executable: Any, structure: Any, forms: list[tuple[Any, str]]) -> None:
        super().__init__(structure, forms)
        self.executable = executable

    def __call__(self, arrays: list[Any]) -> R:
        answer: R = jax.tree.unflatten(self.structure, self.executable(*arrays))
        return answer


class _Making(Generic[R]):
    """A program on the way. The form of its answer is `said` before the program is compiled."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.users = 0
        self.begun = False
        self.said = threading.Event()
        self.form: _Form[R] | None = None


def _alone(make: Callable[..., object], *args: Any) -> None:
    """Make a program in a thread of its own; whoever needs it meets the same error."""
    try:
        make(*args)
    except Exception as error:
        _LOG.debug("Could not compile ahead: %r", error)


def _blank(shape: tuple[int, ...], kind: str) -> Any:
    if kind.startswith("key<"):
        return jax.random.key(0)
    # Ones: host code divides by standard deviations. Unlike jnp.ones, this is not a program.
    fill = 1 if np.dtype(kind).kind == "f" else 0
    return jax.device_put(np.full(shape, fill, dtype=kind))


class _Mode(threading.local):
    preparing = False
    apart = False
    at_first: Callable[[], None] | None = None


_MODE = _Mode()


def made_up() -> bool:
    """Whether answers of programs say nothing (`preparing`)."""
    return _MODE.preparing


@contextmanager
def preparing(*, apart: bool = False) -> Iterator[None]:
    """Make the programs that this thread calls, and run none of them; answers say nothing.

    With `apart`, each program is made in a thread of its own, several at once.
    """
    before = _MODE.preparing, _MODE.apart
    _MODE.preparing, _MODE.apart = True, apart
    try:
        yield
    finally:
        _MODE.preparing, _MODE.apart = before


@contextmanager
def at_first_compilation(start: Callable[[], None]) -> Iterator[None]:
    """Within, `start` is called before the first program that this thread has to compile."""
    _MODE.at_first = start
    try:
        yield
    finally:
        _MODE.at_first = None


def compiled(
    *, rows: Callable[..., int] | None = None, static: tuple[str, ...] = ()
) -> Callable[[Callable[..., R]], Compiled[R]]:
    """Compile a function as `jax.jit` does, but quickly, and keep the executable."""
    return lambda function: Compiled(function, rows, static)


def forget() -> None:
    """Drop every program in memory, JAX's own included; later calls load or compile them again."""
    with _SHARED:
        for function in _ALL:
            function._programs.clear()
        jax.clear_caches()


def _chosen() -> Any:
    """What was chosen to compute on: a device, the name of a platform, or None."""
    return jax.config.jax_default_device  # type: ignore[attr-defined]


def _device() -> jax.Device:
    """The device that programs are made for."""
    chosen = _chosen()
    return chosen if isinstance(chosen, jax.Device) else jax.local_devices(backend=chosen)[0]


def _compile(lowered: Any, options: Options) -> Any:
    if _device().platform != "cpu":
        return lowered.compile()
    try:
        return lowered.compile(compiler_options=options)
    except jax.errors.JaxRuntimeError as error:
        # The options are the compiler's own: a later compiler may not know them.
        if "No such compile option" not in str(error):
            raise
        return lowered.compile()


_BYPASSING = [0, 0.0]  # how many threads bypass JAX's cache, and the setting to go back to


@contextmanager
def _out_of_jax_cache() -> Iterator[None]:
    """Bypass JAX's cache: an executable from it cannot be written again, as XLA loses its code.

    The setting belongs to the whole process. What another thread compiles meanwhile is not written
    to JAX's cache, which costs time later and nothing else.
    """
    setting = "jax_persistent_cache_min_compile_time_secs"
    with _SHARED:
        if _BYPASSING[0] == 0:
            _BYPASSING[1] = getattr(jax.config, setting)
            jax.config.update(setting, math.inf)
        _BYPASSING[0] += 1
    try:
        yield
    finally:
        with _SHARED:
            _BYPASSING[0] -= 1
            if _BYPASSING[0] == 0:
                jax.config.update(setting, _BYPASSING[1])


# ---- executables on disk ------------------------------------------------------------------------


def _classes(tree: Any) -> set[type]:
    """The classes that a structure of arguments is made of."""
    node = tree.node_data()
    own = set() if node is None else {node[0]}
    return own.union(*map(_classes, tree.children()))


def _trusted(thing: Any) -> bool:
    return thing.__module__.split(".")[0] in _TRUSTED


def _kept_at(function: Callable[..., Any], key: Any, options: Options) -> Path | None:
    folder = jax.config.jax_compilation_cache_dir  # type: ignore[attr-defined]
    if not folder:
        return None
    tree, fixed, shapes, _ = key
    name = f"{function.__module__}.{function.__qualname__}"
    # Settings in the structure, such as a kernel's class, are named in its description.
    described = repr((str(tree), fixed))
    modules = {each.__module__ for each in (function, *_classes(tree))}
    modules |= {found.rpartition(".")[0] for found in re.findall(r"counsel\.[\w.]+", described)}
    sources = digest_of(each for each in modules if each.startswith("counsel."))
    device = _device()  # an executable can only be read back for the device it was made for
    made_with = (*_made_with(), device.platform, device.id)
    described = repr((made_with, sources, name, described, shapes, options))
    digest = hashlib.sha256(described.encode()).hexdigest()[:32]
    return Path(folder) / f"counsel-{function.__name__.strip('_')}-{digest}"


@cache
def _made_with() -> tuple[str, ...]:
    """What an executable depends on besides its sources, function and arguments."""
    import equinox

    try:
        about = Path("/proc/cpuinfo").read_text(encoding="utf-8").split("\n\n")[0].split("\n")
        processor = "".join(line for line in about if line.startswith(("model name", "flags")))
    except OSError:
        processor = platform.processor()
    return (
        jax.__version__,
        equinox.__version__,
        platform.machine(),
        processor,
        os.environ.get("XLA_FLAGS", ""),
    )


def _load(path: Path) -> _Program[Any] | None:
    """The executable kept in a file; None where there is none that can be used."""
    content = read_private(path)  # the content will be executed
    if content is None:
        return None
    try:
        payload, given, answered, numbered, forms = pickle.loads(content)
        device = _device()  # without one, the program would expect its arguments on all devices
        executable = serialize_executable.deserialize_and_load(
            payload, given, answered, device.client, [device]
        )
        program: _Program[Any] = _Program(executable, jax.tree.structure(numbered), forms)
    except Exception:  # a damaged file, a changed format, or anything else: compile it again
        return None
    jax.monitoring.record_event_duration_secs(LOADED, 0.0)
    return program


def _keep(path: Path, program: _Program[Any]) -> None:
    """Write an executable for the next process; a cache that cannot be written is not an error."""
    try:
        # Equinox's structures pickle only as objects, so put numbers in place of the arrays.
        structure = program.structure
        numbered = jax.tree.unflatten(structure, range(structure.num_leaves))
        written = serialize_executable.serialize(program.executable)
        content = pickle.dumps((*written, numbered, program.forms))
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        unfinished = path.with_name(f"{path.name}.{os.getpid()}.{threading.get_ident()}")
        unfinished.write_bytes(content)
        unfinished.chmod(0o600)
        unfinished.replace(path)
    except (OSError, ValueError, pickle.PicklingError):
        return
