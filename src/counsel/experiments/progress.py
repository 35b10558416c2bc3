"""Shows progress: a live bar in a terminal, a line per block elsewhere."""

import time
from collections import deque
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn

__all__ = ["Meter", "duration"]

_RECENT = 30


class Meter:
    """Counts finished blocks and rounds; speed and time left come from the latest of them."""

    def __init__(self, console: Console, blocks: int, rounds_per_block: int) -> None:
        self._console = console
        self._blocks = blocks
        self._rounds = rounds_per_block
        self._done = 0
        # When the latest blocks ended: what compiled at first says little about the rest.
        self._ends = deque([time.perf_counter()], maxlen=_RECENT + 1)
        self._bar: Progress | None = None
        if console.is_terminal:
            self._bar = Progress(
                SpinnerColumn(),
                BarColumn(),
                MofNCompleteColumn(),
                TextColumn("blocks  {task.fields[speed]}  {task.description}"),
                console=console,
                refresh_per_second=4,
            )
            self._task = self._bar.add_task("", total=blocks, speed="compiling...")

    def __enter__(self) -> "Meter":
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        failure: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    @property
    def done(self) -> int:
        return self._done

    def tick(self, what: str, seconds: float) -> None:
        self._done += 1
        self._ends.append(time.perf_counter())
        each = max((self._ends[-1] - self._ends[0]) / (len(self._ends) - 1), 1e-6)
        rate = self._rounds / each
        left = duration((self._blocks - self._done) * each)
        speed = f"{rate:,.{0 if rate >= 10 else 1}f} rounds/s, {left} left"
        if self._bar is not None:
            self._bar.update(self._task, advance=1, speed=speed, description=what)
            return
        self._console.print(
            f"{self._done}/{self._blocks}  {what}: {seconds:.1f} s  ({speed})",
            soft_wrap=True,
            highlight=False,
        )


def duration(seconds: float) -> str:
    if seconds < 90.0:
        return f"{seconds:.0f} s"
    if seconds < 5400.0:
        return f"{seconds / 60.0:.0f} min"
    return f"{seconds / 3600.0:.1f} h"
