"""The client of a service and its studies."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from counsel.client.connection import Connection
from counsel.client.study import RemoteStudy
from counsel.facts import codec
from counsel.facts.problem import Constraint, Direction, Objective, Tradeoff
from counsel.facts.summaries import Setup, Summary
from counsel.space import AnySpace

__all__ = ["Client"]


class Client:
    """A connection to `counsel serve`. Close it, or use it in a `with`."""

    def __init__(self, url: str, *, token: str | None = None, timeout: float = 60.0) -> None:
        self._connection = Connection(url, token, timeout)
        self.url = self._connection.url

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        self._connection.close()

    def create_study(
        self,
        space: AnySpace,
        *,
        name: str = "study",
        direction: Direction = "maximize",
        objective: str = "objective",
        objectives: Sequence[Objective] = (),
        tradeoff: Tradeoff = "weights",
        constraints: Sequence[Constraint] = (),
        policy: str | Mapping[str, Any] | None = None,
        seed: int = 0,
        team: str | None = None,
        load_if_exists: bool = False,
        idempotency_key: str | None = None,
        **settings: Any,
    ) -> RemoteStudy:
        """Create a study that searches `space`.

        Further keywords are the policy's settings: `policy="lw-ucb", kappa=3.0`. With
        `load_if_exists` a study of this name is opened instead, if it was created alike.
        """
        body = {
            "name": name,
            **_described(space),
            "objective": objective,
            "objectives": codec.write(list(objectives)),
            "tradeoff": tradeoff,
            "direction": direction,
            "constraints": codec.write(list(constraints)),
            "policy": policy,
            "settings": settings,
            "seed": seed,
            "team": team,
            "load_if_exists": load_if_exists,
        }
        made = self._connection.write("studies", body, idempotency_key)
        return RemoteStudy(self._connection, codec.read(Setup, made))

    def load_study(self, name: str) -> RemoteStudy:
        found = self._connection.get(f"studies/{quote(name, safe='')}")
        return RemoteStudy(self._connection, codec.read(Setup, found))

    def list_studies(self, *, archived: bool = False) -> list[Summary]:
        """The studies of the service, oldest first; with `archived`, also the archived ones."""
        query = {"archived": "true"} if archived else None
        return [codec.read(Summary, each) for each in self._connection.get("studies", query)]

    def delete_study(self, name: str) -> None:
        """Delete a study and all its facts, permanently."""
        self._connection.delete(f"studies/{quote(name, safe='')}")


def _described(space: AnySpace) -> dict[str, Any]:
    described = {name: part for name, part in space.to_dict().items() if name != "type"}
    if "arms" in described:
        names, labels = described.pop("names"), described.pop("labels", None)
        described["arms"] = [dict(zip(names, row, strict=True)) for row in described["arms"]]
        for arm, label in zip(described["arms"], labels or [], strict=False):
            arm[described["label"]] = label
    return described
