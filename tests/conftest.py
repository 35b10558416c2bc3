"""What holds for every test: checked shapes, one compile cache, repeatable inputs, the data."""

import ctypes
import gc
import importlib
import os
import random
import re
import resource
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import hypothesis
import jaxtyping
import psutil
import pytest
import sqlalchemy as sa
import typer.testing

ROOT = Path(__file__).resolve().parent.parent

# Compiled code is kept between runs, apart from the cache of whoever runs the tests.
os.environ["COUNSEL_CACHE"] = str(ROOT / ".cache" / "counsel")
# The same arithmetic everywhere; JAX_PLATFORMS=cuda runs the tests on a GPU.
os.environ.setdefault("JAX_PLATFORMS", "cpu")

# From here on, importing the numerical rooms checks the types and shapes of every annotated call.
# The doors (spaces, records, the study) stay unchecked: what they refuse, they refuse in a sentence
# of their own. `float` also takes an int, as the type checker has it.
jaxtyping.install_import_hook(
    [
        "counsel.models",
        "counsel.acquisition",
        "counsel.constraints",
        "counsel.policies",
        "counsel.explain",
        "counsel.teams.credit",
        "counsel.teams.people",
        "counsel.teams.rules",
        "counsel.teams.team",
    ],
    "beartype.beartype(conf=beartype.BeartypeConf(is_pep484_tower=True))",
)

# beartype looks at items drawn by the global generator. Where a thread does so while hypothesis
# makes an example, hypothesis takes it for a strategy that draws from elsewhere, and complains.
for _module in ("codemain", "codemake"):  # the name changed
    with suppress(ImportError):
        _checks: Any = importlib.import_module(f"beartype._check.code.{_module}")
        _checks.getrandbits = random.Random(0).getrandbits

# By default the garbage collector runs after every 700 new objects, and tracing makes millions: it
# would take two fifths of the tests' time.
gc.set_threshold(20_000, 20, 20)

# What typer makes of a program's functions is the same at every call of the program.
typer.testing._get_command = cache(typer.testing._get_command)  # type: ignore[attr-defined]

# A shell without job control starts background jobs with SIGINT ignored, and so would be the
# processes that tests start and interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

hypothesis.settings.register_profile(
    "ci",
    derandomize=True,
    database=None,
    # First calls compile; neither they nor a busy machine may decide whether a test passes.
    deadline=None,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("ci")  # --hypothesis-profile=default looks further


# Most programs are compiled once and run a few times: without optimisation the tests take a third
# less time. The slow ones, which measure and count, compile as users do.
_UNOPTIMISED = (
    "--xla_cpu_use_fusion_emitters=false --xla_backend_optimization_level=0 "
    "--xla_llvm_disable_expensive_passes=true --xla_cpu_parallel_codegen_split_count=1"
)


def pytest_configure(config: pytest.Config) -> None:
    if "not slow" in config.option.markexpr:
        os.environ.setdefault("XLA_FLAGS", _UNOPTIMISED)


def pytest_collection_finish() -> None:
    _copy_tables()
    _share_contexts()
    gc.collect()
    gc.freeze()  # what was imported stays: a full collection need not look at it again


def _copy_tables() -> None:
    """New SQLite files get the tables that the migrations made in the first one."""
    from counsel.storage import engine, schema

    migrate, made = engine._upgrade, list[str]()

    def upgrade(connection: sa.Connection) -> None:
        if connection.dialect.name != "sqlite" or sa.inspect(connection).get_table_names():
            migrate(connection)
            return
        for statement in made:
            connection.exec_driver_sql(statement)
        if not made:
            migrate(connection)
            query = "SELECT sql FROM sqlite_master WHERE sql NOT NULL AND name NOT LIKE 'sqlite_%'"
            made.extend(connection.exec_driver_sql(query).scalars())
            made.append(f"INSERT INTO {schema.VERSION_TABLE} VALUES ('{schema.VERSION}')")

    engine._upgrade = upgrade


def _share_contexts() -> None:
    """One MLIR context for a thread's programs: JAX makes one for each, and keeps it (1.3 MB)."""
    from jax._src.interpreters import mlir

    make, here = mlir.make_ir_context, threading.local()

    def context() -> Any:
        if getattr(here, "since", -1) != _Memory.drops:
            here.since, here.made = _Memory.drops, make()
        return here.made

    mlir.make_ir_context = context


@cache
def _together(file: str) -> str:
    """What a file's tests are run with: the tests of files with the same group, or only its own."""
    text = (ROOT / file).read_text(encoding="utf-8")
    found = re.search(r'^pytestmark = pytest\.mark\.xdist_group\("(.+)"\)', text, re.MULTILINE)
    return found[1] if found else file


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """A file's tests run in one process: what they share is made, and compiled, once.

    pytest-xdist 3.8 would do it for groups alone, and with pytest 9.2 for none: it writes them into
    an attribute that is no longer read.
    """
    if config.getvalue("dist") != "loadgroup":
        return None
    from xdist.scheduler import LoadScopeScheduling

    class Together(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return _together(nodeid.partition("::")[0])

        def _assign_work_unit(self, node: Any) -> None:
            # Groups start other programs and mostly wait, or are long for their number of tests:
            # begun first, they run beside what computes, and none of them is left at the end.
            first = min(self.workqueue, key=lambda scope: scope.endswith(".py"))
            self.workqueue.move_to_end(first, last=False)
            super()._assign_work_unit(node)

    return Together(config, log)


class _Memory:
    """Compiled programs pile up in a process that runs thousands of tests: drop them in time."""

    most = 1100 * 2**20
    process = psutil.Process()
    drops = 0

    def bound(self) -> None:
        if "counsel.models.compiling" not in sys.modules or self.used() <= self.most:
            return
        from counsel.models.compiling import forget

        forget()
        _Memory.drops += 1
        gc.collect()
        if sys.platform == "linux":  # freed memory goes back to the system only when asked for
            ctypes.CDLL(None).malloc_trim(0)
        # What cannot be dropped must not make every later test compile anew.
        _Memory.most = max(_Memory.most, self.used() + 200 * 2**20)

    def used(self) -> int:
        found: int = self.process.memory_info().rss
        return found


_memory = _Memory()
_peaks: list[float] = []


@pytest.fixture(autouse=True)
def bounded_memory() -> Iterator[None]:
    yield
    _memory.bound()


def pytest_sessionfinish(session: pytest.Session) -> None:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # bytes on macOS, else kilobytes
    peak /= 2**30 if sys.platform == "darwin" else 2**20
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["peak"] = peak
    else:
        _peaks.append(peak)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    _peaks.append(getattr(node, "workeroutput", {}).get("peak", 0.0))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    shown = ", ".join(f"{peak:.2f}" for peak in _peaks)
    terminalreporter.write_line(f"peak memory of the test processes: {shown} GB")


@pytest.fixture(scope="module")
def data_folder() -> Path:
    """The papers' data: $COUNSEL_DATA, else shared/data beside the repository, else a skip."""
    given = os.environ.get("COUNSEL_DATA")
    folder = Path(given) if given else ROOT.parent / "shared" / "data"
    if folder.is_dir():
        return folder
    if given:
        pytest.fail(f"COUNSEL_DATA is {given!r}, which is not a folder. Correct it or unset it.")
    pytest.skip("The papers' data is not here: point COUNSEL_DATA to its folder.")
