"""One cell: the same first points for all, then one contestant's trials."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from benchmarks.suites.conversation import Conversation
from benchmarks.suites.world import World

CACHE = Path(__file__).parents[1] / ".cache" / "suites"


@dataclass(frozen=True)
class Played:
    """A finished cell: the best worth after every trial, and the seconds of every ask."""

    suite: str
    world: str
    seed: int
    contestant: str
    version: str
    best: list[float]
    gap: float
    first_feasible: int | None
    cpu: list[float]
    wall: list[float]


def file_of(suite: str, world: str, seed: int, contestant: str, version: str) -> Path:
    """Where a cell is kept."""
    name = contestant.replace(":", "=").replace("/", "_")
    return CACHE / suite / world / f"s{seed:03d}" / f"{name}@{version}.json"


def find(path: Path) -> Played | None:
    """A kept cell."""
    return Played(**json.loads(path.read_text())) if path.exists() else None


def keep(played: Played) -> None:
    """Written whole or not at all: a run may be cut short at any time."""
    path = file_of(played.suite, played.world, played.seed, played.contestant, played.version)
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_suffix(".part")
    half.write_text(json.dumps(asdict(played)))
    half.replace(path)


def start_of(world: World, seed: int) -> np.random.Generator:
    """The randomness of a cell: the same for all contestants, in every process."""
    name = int.from_bytes(hashlib.sha256(world.name.encode()).digest()[:4], "big")
    return np.random.default_rng([seed, name])


def play(
    talk: Conversation, version: str, suite: str, world: World, seed: int, batch: int = 1
) -> Played:
    """Play a cell with a contestant that is alive."""
    rng = start_of(world, seed)
    evaluate = world.open(seed)
    talk.start(world.setting, seed)
    best, cpu, wall = [], [], []
    least, feasible = float("inf"), None
    points = world.setting.draw(rng, world.first)
    while True:
        told = []
        for point in points:
            reading = evaluate(point)
            told.append((point, reading.value, reading.margins))
            if feasible is None and all(margin >= 0.0 for margin in reading.margins):
                feasible = len(best) + 1
            least = min(least, reading.worth)
            best.append(least)
        if len(best) >= world.trials:
            break
        talk.tell(told)
        points, used, passed = talk.ask(min(batch, world.trials - len(best)))
        cpu.append(used)
        wall.append(passed)
    return Played(
        suite,
        world.name,
        seed,
        talk.name,
        version,
        best,
        world.gap(least),
        feasible,
        cpu,
        wall,
    )


def play_all(
    suite: str,
    cells: list[tuple[World, int]],
    contestant: str,
    batch: int = 1,
    *,
    kept_only: bool = False,
) -> Iterator[Played]:
    """Every cell of one contestant in one process; kept cells are not played again."""
    with Conversation(contestant) as talk:
        version = talk.version()
        for world, seed in cells:
            found = find(file_of(suite, world.name, seed, contestant, version))
            if found is None and kept_only:
                continue
            if found is None:
                found = play(talk, version, suite, world, seed, batch)
                keep(found)
            yield found
