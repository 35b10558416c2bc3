"""Finished cells on disk: one file per suite and contestant, one line of JSON per cell.

The files under `results/` are part of the project, so a run on another machine goes on from them:
rivals take hours, and a rival's cell does not change when Counsel does. Cells of tuning instances
stay in the cache. A line is appended whole; half a line, left by a run that was cut short, is
dropped by the next one. Of several lines of one cell the last one counts.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

KEPT = Path(__file__).parent / "results"
TUNING = Path(__file__).parents[1] / ".cache" / "suites-tuning"

Key = tuple[str, int]


@dataclass(frozen=True)
class Played:
    """A finished cell.

    `steps` are the trials that improved the best worth, each with that worth; `trials` is how many
    there were. `gap` is the distance from the last of them to the best that is known.
    `first_feasible` is the first trial that kept all constraints, if any did. `cpu` and `wall` are
    the median seconds of an ask.
    """

    world: str
    seed: int
    version: str
    steps: tuple[tuple[int, float], ...]
    trials: int
    gap: float
    first_feasible: int | None
    cpu: float
    wall: float

    @property
    def key(self) -> Key:
        return self.world, self.seed

    def to_line(self) -> str:
        return json.dumps(asdict(self), separators=(",", ":")) + "\n"

    @classmethod
    def from_line(cls, line: str) -> "Played":
        data = json.loads(line)
        steps = tuple((int(trial), float(worth)) for trial, worth in data["steps"])
        return cls(**{**data, "steps": steps})


@dataclass(frozen=True)
class Results:
    """The kept cells of one contestant in one suite."""

    path: Path

    @classmethod
    def of(cls, root: Path, suite: str, contestant: str) -> "Results":
        return cls(root / suite / f"{contestant.replace(':', '=').replace('/', '_')}.jsonl")

    def read(self, version: str | None = None) -> dict[Key, Played]:
        """The cells by world and seed; with `version`, those of that version alone."""
        found = {played.key: played for played in self._lines()}
        if version is None:
            return found
        return {key: played for key, played in found.items() if played.version == version}

    def keep(self, played: Played) -> None:
        """Append a cell; whatever was cut short at the end of the file goes first."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._mend()
        with self.path.open("a", encoding="utf-8") as file:
            file.write(played.to_line())

    def tidy(self) -> None:
        """One line per cell, in order: what is committed has no stale lines."""
        cells = self.read()
        self._write(cells[key] for key in sorted(cells))

    def _lines(self) -> Iterator[Played]:
        if not self.path.exists():
            return
        for line in self.path.read_text(encoding="utf-8").splitlines(keepends=True):
            if line.endswith("\n"):
                yield Played.from_line(line)

    def _mend(self) -> None:
        if self.path.exists():
            text = self.path.read_text(encoding="utf-8")
            if text and not text.endswith("\n"):
                self.path.write_text(text[: text.rfind("\n") + 1], encoding="utf-8")

    def _write(self, cells: Iterable[Played]) -> None:
        half = self.path.with_suffix(".part")
        half.write_text("".join(played.to_line() for played in cells), encoding="utf-8")
        half.replace(self.path)
