"""What adapters to other people's loops share: their domains as parameters, suggest and ingest."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from counsel.errors import Conflict, InvalidInput
from counsel.facts.problem import TABLE_COLUMNS
from counsel.facts.records import Proposal, Value
from counsel.space import Categorical, Float, Int, Parameter, Space
from counsel.study.protocol import StudyLike

__all__ = ["Domain", "Loop", "Names", "by_position", "choice", "interval", "measured", "space_of"]


@dataclass(frozen=True)
class Domain:
    """A parameter of ours, and the values that it stands for elsewhere, where they differ."""

    parameter: Parameter
    values: tuple[Any, ...] | None = None

    def here(self, value: Any) -> Value:
        """Their value as ours."""
        if self.values is None:
            return value
        return self._label(self._position(value))

    def there(self, value: Any) -> Any:
        """Our value as theirs."""
        if self.values is None:
            return value
        if isinstance(self.parameter, Categorical):
            return self.values[list(self.parameter.choices).index(value)]
        return self.values[int(value)]

    def _label(self, position: int) -> Value:
        if isinstance(self.parameter, Categorical):
            return self.parameter.choices[position]
        return position

    def _position(self, value: Any) -> int:
        assert self.values is not None
        for position, each in enumerate(self.values):
            close = isinstance(each, float) and math.isclose(each, value, rel_tol=1e-9)
            if close or (type(each) is type(value) and each == value):
                return position
        for position, each in enumerate(self.values):  # 1 and 1.0, a tuple that came as a list
            if each == value:
                return position
        raise InvalidInput("value", value, f"Give one of {list(self.values)}.")


def interval(
    low: float, high: float, *, whole: bool = False, log: bool = False, step: float | None = None
) -> Domain:
    """A range of numbers, which ends on the last of its steps."""
    if step is None or (whole and step == 1):
        return Domain(Int(int(low), int(high), log=log) if whole else Float(low, high, log=log))
    # Sums of steps carry rounding: 0.1 + 2 * 0.1 is not 0.3.
    top = float(f"{low + math.floor((high - low) / step + 1e-9) * step:.12g}")
    if whole:
        return Domain(Int(int(low), int(top), step=int(step)))
    return Domain(Float(low, top, step=step))


def by_position(domain: Domain) -> Domain:
    """A range with steps as earlier versions had it in a study: by the positions on its grid."""
    parameter = domain.parameter
    if isinstance(parameter, Categorical) or parameter.step is None or parameter.count is None:
        return domain
    grid = tuple(parameter.at(place) for place in range(parameter.count))
    return Domain(Int(0, parameter.count - 1), grid)


def choice(values: Sequence[Any]) -> Domain:
    """One of several values of any kind; those that are not labels go by their text."""
    given = tuple(values)
    try:
        return Domain(Categorical(list(given)))
    except InvalidInput:
        return Domain(Categorical([repr(each) for each in given]), given)


class Names:
    """Names of theirs that a study can carry: a few are taken by its table or its outcomes."""

    def __init__(self, names: Sequence[str], *, taken: Sequence[str] = ()) -> None:
        reserved = {*TABLE_COLUMNS, *taken}
        self.here: dict[str, str] = {}
        for name in names:
            own = name
            while own in reserved:
                own += "_"
            reserved.add(own)
            self.here[name] = own
        self.there = {own: name for name, own in self.here.items()}


def space_of(domains: Mapping[str, Domain], names: Names) -> Space:
    return Space(**{names.here[name]: each.parameter for name, each in domains.items()})  # type: ignore[arg-type]


def measured(value: Any) -> bool:
    """Whether this is a number that a study can learn from."""
    if value is None or isinstance(value, str):
        return False
    try:
        return math.isfinite(float(value))
    except (TypeError, ValueError):
        return False


class Loop:
    """Suggest and ingest: a study as those protocols see it.

    `keys` are theirs (trial numbers, ids), remembered until the trial is over.
    """

    def __init__(self, study: StudyLike, actor: str) -> None:
        self.study = study
        self.running: dict[Any, Proposal] = {}
        self.elsewhere: dict[Any, Mapping[str, Value]] = {}  # where an overridden one is tried
        self._actor = actor

    def suggest(self, key: Any, context: Mapping[str, Value] | None = None) -> Proposal:
        proposal = self.study.ask(context=context)
        self.running[key] = proposal
        return proposal

    def occupy(self, key: Any, values: Mapping[str, Value]) -> None:
        """A trial that somebody else has under way: proposals keep clear of it."""
        proposal = self.study.ask()
        self.study.override(proposal, values, actor=self._actor, reason="under way elsewhere")
        self.running[key], self.elsewhere[key] = proposal, dict(values)

    def ingest(
        self, key: Any, values: Mapping[str, Value] | None, outcomes: Mapping[str, Any]
    ) -> None:
        """Tell what came of a trial: of the one with that key, else at `values`.

        Outcomes that are missing or not finite were not measured; without any the trial failed.
        """
        found = {name: float(each) for name, each in outcomes.items() if measured(each)}
        proposal = self.running.pop(key, None)
        tried = self.elsewhere.pop(key, None if proposal is None else proposal.values)
        moved = proposal is not None and values is not None and dict(tried or {}) != values
        point: Any = values if proposal is None or moved else proposal
        if proposal is not None and moved:  # tried elsewhere than suggested
            self.study.abandon(proposal, actor=self._actor, reason="tried elsewhere")
        try:
            if not found:
                if proposal is not None:
                    self.study.fail(proposal, actor=self._actor, reason="nothing was measured")
                return
            self.study.tell(point, found, actor=self._actor)
        except Conflict:
            return  # somebody has told or rejected it meanwhile: theirs counts

    def fail(self, key: Any, reason: str) -> None:
        """Report that a trial gave no result, possibly because of its point."""
        proposal = self.running.pop(key, None)
        if proposal is not None:
            self.study.fail(proposal, actor=self._actor, reason=reason)

    def abandon(self, key: Any, reason: str) -> None:
        """A trial was given up, which says nothing about the point."""
        proposal = self.running.pop(key, None)
        if proposal is not None:
            self.study.abandon(proposal, actor=self._actor, reason=reason)
