"""One cell: the same first points for all, then one contestant's trials."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.suites.conversation import Conversation
from benchmarks.suites.results import KEPT, TUNING, Played, Results
from benchmarks.suites.setting import Point
from benchmarks.suites.world import Past, World


def root_of(tuning: bool) -> Path:
    """Where cells are kept: those of tuning instances are not part of the project."""
    return TUNING if tuning else KEPT


def start_of(world: World, seed: int) -> np.random.Generator:
    """The randomness of a cell: the same for all contestants, in every process."""
    name = int.from_bytes(hashlib.sha256(world.name.encode()).digest()[:4], "big")
    return np.random.default_rng([seed, name])


def play(talk: Conversation, version: str, world: World, seed: int, batch: int = 1) -> Played:
    """Play a cell with a contestant that is alive."""
    rng = start_of(world, seed)
    evaluate = world.open(seed)
    past = [] if world.past is None else world.past(seed)
    talk.start(world.setting, seed)
    if past:
        talk.past(past)
    cpu: list[float] = []
    wall: list[float] = []
    steps: list[tuple[int, float]] = []
    trials, feasible = 0, None
    points: list[Point] = world.setting.draw(rng, world.first)
    while True:
        told: Past = []
        for point in points:
            reading = evaluate(point)
            trials += 1
            told.append((point, reading.value, reading.margins))
            if feasible is None and all(margin >= 0.0 for margin in reading.margins):
                feasible = trials
            if not steps or reading.worth < steps[-1][1]:
                steps.append((trials, reading.worth))
        if trials >= world.trials:
            break
        talk.tell(told)
        points, used, passed = talk.ask(min(batch, world.trials - trials))
        cpu.append(used)
        wall.append(passed)
    return Played(
        world=world.name,
        seed=seed,
        version=version,
        steps=tuple(steps),
        trials=trials,
        gap=world.gap(steps[-1][1]),
        first_feasible=feasible,
        cpu=float(np.median(cpu)),
        wall=float(np.median(wall)),
    )


def play_all(
    root: Path, suite: str, cells: list[tuple[World, int]], contestant: str, batch: int = 1
) -> Iterator[Played]:
    """Every cell of one contestant in one process; kept cells are not played again."""
    results = Results.of(root, suite, contestant)
    with Conversation(contestant) as talk:
        version = talk.version()
        kept = results.read(version)
        for world, seed in cells:
            found = kept.get((world.name, seed))
            if found is None:
                found = play(talk, version, world, seed, batch)
                results.keep(found)
            yield found


def kept_cells(
    root: Path, suite: str, cells: list[tuple[World, int]], contestant: str
) -> list[Played]:
    """The cells that are there, of whatever version they are; nothing is played."""
    kept = Results.of(root, suite, contestant).read()
    return [kept[world.name, seed] for world, seed in cells if (world.name, seed) in kept]
