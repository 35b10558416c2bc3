"""Ready studies for the demonstration, each with a simulated world that can answer by itself."""

import contextlib
import subprocess
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from counsel.demo import terminal
from counsel.errors import CounselError, NotFound
from counsel.facts.problem import PREFERENCE
from counsel.facts.records import PastTrial, Value
from counsel.policies.dmcl import DMCL
from counsel.service.extension import Simulator
from counsel.service.runtime.compute import ComputeProcess
from counsel.service.runtime.study_pool import first_proposal
from counsel.space import Float, Space
from counsel.storage import Storage, open_storage
from counsel.study import Study, create_study, delete_study, load_study
from counsel.worlds import ConstrainedWorld, World
from counsel.worlds.driving import driving
from counsel.worlds.figures import drive_figure
from counsel.worlds.sensors import synthetic_sensors

if TYPE_CHECKING:
    import plotly.graph_objects as go

__all__ = ["begin", "default_storage", "names", "prepare"]

_START = 6  # trials made before the study is opened, so that there is something to explain
_BY = "earlier trials"


@dataclass(frozen=True)
class _Ready:
    name: str
    create: Callable[[Storage, int], Study]
    world: Callable[[int], Simulator]


def names() -> tuple[str, ...]:
    return tuple(ready.name for ready in _READY)


def default_storage() -> str:
    """A database in the user's cache folder: the demonstration leaves the working folder alone."""
    from counsel.models.cache_folder import location

    folder = location()
    folder.mkdir(parents=True, exist_ok=True)
    return f"sqlite:///{folder / 'demo.db'}"


def prepare(storage: str | Storage, *, seed: int = 0, fresh: bool = False) -> dict[str, Simulator]:
    """Create the missing demo studies; return the worlds that answer for all of them."""
    opened = open_storage(storage)
    answering = {}
    for ready in _READY:
        world = answering[ready.name] = ready.world(seed)
        try:
            if not fresh:
                load_study(ready.name, opened)
                continue
            delete_study(ready.name, opened)
        except NotFound:
            pass
        _begin(ready.create(opened, seed), world, seed)
    if isinstance(storage, str):
        opened.close()
    return answering


def begin(storage: str, process: "subprocess.Popen[bytes] | None") -> ComputeProcess | None:
    """Ask the process that computes for the first study's first proposal; nobody waits for it."""
    if process is None:
        return None
    computing = ComputeProcess(process)

    def ask() -> None:
        with (
            contextlib.suppress(CounselError),
            contextlib.closing(open_storage(storage)) as opened,
        ):
            first_proposal(load_study(_READY[0].name, opened, chooser=computing.for_study))

    threading.Thread(target=ask, daemon=True).start()
    return computing


def _begin(study: Study, world: Simulator, seed: int) -> None:
    """Random past trials, so that the first proposal has reasons."""
    rng = np.random.default_rng([seed, _START])
    space = study.problem.space
    if space.finite:
        chosen = rng.choice(len(space), _START, replace=False)  # type: ignore[arg-type]
        points = [space[int(i)] for i in chosen]  # type: ignore[index]
    else:
        points = [space.decode(rng.uniform(size=space.dim)) for _ in range(_START)]
    if isinstance(study.policy, DMCL):  # a few answers about everything; from then on it asks less
        points = [dict(study.policy.safe or ()), *points[: _START // 2]]
    if study.problem.objective.preferred:
        for first, second in zip(points[::2], points[1::2], strict=True):
            ranked = sorted((first, second), key=lambda p: world(p, 0)[PREFERENCE])
            study.compare(winner=ranked[1], loser=ranked[0], actor=_BY)
        return
    trials = [
        PastTrial(point, world(point, -number), actor=_BY)
        for number, point in enumerate(points, start=1)
    ]
    study.tell_many(trials)


# ---- the studies --------------------------------------------------------------------------------

_SNAPSHOT = 60
_GAINS = Space(lifting=Float(0, 50), lowering=Float(0, 50))


def _exosuit(storage: Storage, seed: int) -> Study:
    return create_study(_GAINS, name="exosuit", objective="comfort", seed=seed, storage=storage)


def _by_feel(storage: Storage, seed: int) -> Study:
    name = "exosuit by feel"
    return create_study(_GAINS, name=name, objective=PREFERENCE, seed=seed, storage=storage)


def _comfort(storage: Storage, seed: int) -> Study:
    world = driving(seed)
    return create_study(
        world.space,
        name="driving comfort",
        objective="progress",
        constraints=world.records(),
        policy=DMCL(safe=tuple(world.space[world.start].items())),
        seed=seed,
        storage=storage,
    )


def _sensor(storage: Storage, seed: int) -> Study:
    return create_study(
        synthetic_sensors(_SNAPSHOT).space,
        name="hot sensor",
        objective="temperature",
        policy="lw-ucb",
        seed=seed,
        storage=storage,
    )


# ---- and their worlds ---------------------------------------------------------------------------


@dataclass(frozen=True)
class _Wearer:
    """Feels how comfortable two gains are; `outcome` is its name."""

    seed: int
    outcome: str
    about: str

    def __call__(self, values: Mapping[str, Value], trial: int) -> dict[str, float]:
        return {self.outcome: terminal.feel(values, self.seed, trial % 2**32)}

    @property
    def optimum(self) -> float:
        return terminal.comfort(**terminal.OPTIMUM)


@dataclass(frozen=True)
class _Passenger:
    """Says how far each preference is from being violated."""

    world: ConstrainedWorld
    seed: int
    about: str = (
        "Ten ways to drive past a car. Eight of a passenger's preferences must hold; the machine "
        "asks only about those worth asking."
    )

    def __call__(self, values: Mapping[str, Value], trial: int) -> dict[str, float]:
        rng = np.random.default_rng([self.seed, trial % 2**32])
        felt = self.world.observe(self.world.space.index(values), rng)
        return {"progress": felt.pop("objective"), **felt}

    @property
    def optimum(self) -> float:
        return float(self.world.payoffs[0, self.world.best])

    def figure(self, ways: Mapping[str, Mapping[str, Value]]) -> "go.Figure":
        found: go.Figure = drive_figure(ways)
        return found


@dataclass(frozen=True)
class _Thermometers:
    """Sensors in a building: one reading each."""

    world: World
    seed: int
    about: str = "Which of many sensors is the hottest? One reading a trial, and few are extreme."

    def __call__(self, values: Mapping[str, Value], trial: int) -> dict[str, float]:
        rng = np.random.default_rng([self.seed, trial % 2**32])
        return {"temperature": self.world.observe(values, rng)}

    @property
    def optimum(self) -> float:
        return self.world.optimum


_SUIT = (
    "How strongly should an exosuit help with lifting, how strongly with lowering? See why the "
    "machine proposes what it does, and try what you think."
)
_FEEL = "The same suit, but comfort is not a number: say which of two settings feels better."
_READY: tuple[_Ready, ...] = (
    _Ready("exosuit", _exosuit, lambda seed: _Wearer(seed, "comfort", _SUIT)),
    _Ready("driving comfort", _comfort, lambda seed: _Passenger(driving(seed), seed)),
    _Ready(
        "hot sensor",
        _sensor,
        lambda seed: _Thermometers(synthetic_sensors(_SNAPSHOT), seed),
    ),
    _Ready("exosuit by feel", _by_feel, lambda seed: _Wearer(seed, PREFERENCE, _FEEL)),
)
