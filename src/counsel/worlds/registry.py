"""The registry of worlds: functions that build one, by name."""

from dataclasses import dataclass

from counsel.registry import Entry, Registry

__all__ = ["WorldEntry", "worlds"]


@dataclass(frozen=True, slots=True)
class WorldEntry(Entry):
    """A world's builder; a `constrained` one builds a `ConstrainedWorld`."""

    constrained: bool = False


worlds = Registry("world", WorldEntry, ("counsel.worlds",), "counsel.worlds")
