"""How many alternatives a space counts as, where a bound needs their number."""

from collections.abc import Mapping

from counsel.space import AnySpace, Arms, Categorical, Parameter

__all__ = ["domain_of", "size_of"]

# A box counts as a grid of this many points per dimension.
_GRID = 100.0
# Beyond this, the number itself would overflow.
_MOST = _GRID**100


def size_of(space: AnySpace) -> float:
    """The number of alternatives in a round; beyond 100 parameters, of a grid over 100."""
    return float(len(space)) if isinstance(space, Arms) else _GRID ** min(len(space.names), 100)


def domain_of(space: AnySpace) -> float:
    """|D|: the number of (alternative, context) pairs, with each number counted as a grid."""
    many = float(len(space)) if isinstance(space, Arms) else _values(space.parameters)
    return min(many * _values(space.context), _MOST)


def _values(parameters: Mapping[str, Parameter]) -> float:
    found = 1.0
    for parameter in parameters.values():
        count = _GRID if parameter.count is None else float(parameter.count)
        found *= count if isinstance(parameter, Categorical) else min(count, _GRID)
        found = min(found, _MOST)
    return found
