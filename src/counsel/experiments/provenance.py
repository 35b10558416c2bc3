"""How a report was made: the command, the versions, the seconds."""

from typing import Any, NamedTuple

from counsel.experiments.progress import duration

__all__ = ["Provenance", "provenance"]


class Provenance(NamedTuple):
    command: str
    facts: dict[str, str]


def provenance(command: str, results: dict[str, Any], timing: dict[str, Any]) -> Provenance:
    made = dict(results["made with"])
    code = made.pop("code")
    spent = sum(timing["cpu seconds by world and method"].values())
    return Provenance(
        command,
        {
            "seeds": f"{results['seeds']}, in blocks of {results['block']}",
            "versions": ", ".join(f"{name} {version}" for name, version in made.items()),
            "code": code,
            "time": (
                f"{duration(spent)} of CPU over all blocks; the last run made "
                f"{timing['blocks made by the last run']} of {timing['blocks']} blocks in "
                f"{duration(timing['seconds of the last run'])} "
                f"({timing['backend']}, {timing['at once']} at once)"
            ),
        },
    )
