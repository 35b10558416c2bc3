"""Puts an attribution into one or two sentences that claim no more than its numbers.

Every claim is about a contribution: what setting one parameter to its value does, against an
average point. All contributions are compared by what they are worth in what was maximised
(`Attribution.worth`). Only those that stand out are mentioned: at least a quarter of the largest,
and more than twice their standard error. "Mainly" means at least half of all that speaks that way.

Where the chances that constraints hold turn the balance, a second sentence says how the point is
rated without them, and what to expect of the objective: a point that is sure to work and good for
nothing else is not worth a trial.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from counsel.facts.cards import ROUNDING
from counsel.facts.problem import Direction
from counsel.facts.records import Value
from counsel.facts.terms import Term, on_gaps, term
from counsel.space.spelling import names_itself

if TYPE_CHECKING:
    from counsel.explain.attribution import Attribution

SHARE = 0.25
_MOST = 3  # further contributions mentioned on either side
MAINLY = 0.5
_NOTHING = 1e-9  # of a chance or a gain, which have no level

Cell = tuple[int, int]


def sentence(why: "Attribution") -> str:
    return " ".join(part for part in (_reasons(why), _without_chances(why)) if part)


def _without_chances(why: "Attribution") -> str:
    """How a point is rated apart from its chances, where that is the other way round."""
    chances = np.array([words_of(why, i).scale == "chance" for i in range(len(why.terms))])
    gains, unit = why.gains, float(np.abs(why.gains).max(initial=0.0))
    rest, all_of_it = float(gains[~chances].sum()), float(gains.sum())
    if chances.all() or min(abs(rest), abs(all_of_it)) <= 1e-9 * unit:
        return ""
    if (rest > 0.0) == (all_of_it > 0.0):
        return ""
    tags = [words_of(why, int(i)).meaning for i in np.flatnonzero(chances)]
    which = f"the {tags[0]}" if len(tags) == 1 else "the chances that constraints hold"
    text = f"Apart from {which}, it is rated {'above' if rest > 0.0 else 'below'} average"
    row = next((i for i, tag in enumerate(why.terms) if tag == "exploitation"), None)
    # What to expect is mentioned where it is a reason for that.
    if row is None or (gains[row] > 0.0) != (rest > 0.0):
        return f"{text}."
    gap = apart(float(why.total[row] - why.base[row]), why.direction)
    return f"{text}: the expected {objective(why)} is {gap} an average one."


def apart(gap: float, direction: Direction = "maximize") -> str:
    """A difference in words: "3.2 higher than"."""
    return "the same as" if float(f"{gap:.3g}") == 0.0 else f"{farther(gap, direction)} than"


def farther(gap: float, direction: Direction) -> str:
    """A difference as "3.2 higher"; of what is minimised, also whether that is better."""
    way = "higher" if gap > 0.0 else "lower"
    if direction == "minimize":
        way += " (worse)" if gap > 0.0 else " (better)"
    return f"{abs(gap):.3g} {way}"


def _reasons(why: "Attribution") -> str:
    worth = np.where(clear(why), why.worth, 0.0)
    gain = float(why.gains.sum())
    if not worth.any():
        return "Nothing about this point stands out from an average one."
    for_it, against = _told(worth), _told(-worth)
    proposed = why.proposal is not None
    if gain > 0.0:
        leading, other, joint = for_it, against, "against it"
        opening = "Proposed" if proposed else f"Rated above {_average(why)}"
    else:
        leading, other, joint = against, for_it, "for it"
        opening = f"{'Though proposed, it is rated' if proposed else 'Rated'} below {_average(why)}"
    if not leading:
        return f"{opening}: no single parameter stands out; {joint}, {_listed(why, other)}."
    sign = 1.0 if gain > 0.0 else -1.0
    all_of_it = float((sign * why.worth).clip(min=0.0).sum())
    how = "mainly" if abs(worth[leading[0]]) >= MAINLY * all_of_it else "in part"
    text = f"{opening} {how}" if opening == "Proposed" else f"{opening}, {how}"
    lead, others = leading[0], leading[1:]
    same = [cell for cell in others if _does(why, *cell) == _does(why, *lead)]
    text += f" because {_listed(why, [lead])}"
    if same:
        too = _joined([place(why, parameter) for _, parameter in same])
        text += f", as {'do' if len(same) > 1 else 'does'} {too}"
    others = [cell for cell in others if cell not in same]
    if others:
        text += f"; {_listed(why, others)}"
    return text + (f"; {joint}, {_listed(why, other)}." if other else ".")


def _average(why: "Attribution") -> str:
    """What a point is compared with: where terms have one scale, the mean of their sum is known.

    Otherwise it is a point that would have the average of every term, which may be better than any
    there is.
    """
    one_scale = why.additive or len(why.terms) == 1
    return "an average point" if one_scale else "a point that is average in every respect"


def clear(why: "Attribution") -> NDArray[np.bool_]:
    """The contributions that stand out from their own error and from rounding."""
    size = np.abs(why.values)
    ends = np.maximum(np.abs(why.total), np.abs(why.base))
    unit = np.maximum(ends, size.max(axis=1, initial=0.0))[:, None]
    least = np.where(why.log_weights != 0.0, _NOTHING, ROUNDING)[:, None] * unit
    found: NDArray[np.bool_] = (size > 2.0 * why.error) & (size > least)
    return found


def _told(worth: NDArray[np.float64]) -> list[Cell]:
    """The contributions to tell of those above zero, the largest first."""
    largest = float(np.abs(worth).max())
    order = np.argsort(-worth, axis=None, kind="stable")[: _MOST + 1]
    cells = [divmod(int(i), worth.shape[1]) for i in order]
    return [cell for cell in cells if worth[cell] > 0.0 and worth[cell] >= SHARE * largest]


def _listed(why: "Attribution", cells: list[Cell]) -> str:
    """What each does, those that do the same together: "a 1 and b 2 raise the expected yield"."""
    found: dict[str, list[str]] = {}
    for cell in cells:
        found.setdefault(_does(why, *cell), []).append(place(why, cell[1]))
    many = (
        f"{_joined(who)} {does.replace('{s}', '' if len(who) > 1 else 's')}"
        for does, who in found.items()
    )
    return _joined(list(many))


def phrase(why: "Attribution", row: int, parameter: int) -> str:
    """One contribution in words: "a 1 raises the expected yield"."""
    return _listed(why, [(row, parameter)])


def _does(why: "Attribution", row: int, parameter: int) -> str:
    words = words_of(why, row)
    return filled(why, words.favours if why.worth[row, parameter] > 0.0 else words.opposes)


def filled(why: "Attribution", text: str) -> str:
    """Words of the table, with the objective's own name and direction."""
    better, worse = ("raise", "lower") if why.direction == "maximize" else ("lower", "raise")
    return (
        text.replace("{raise}", better)
        .replace("{lower}", worse)
        .replace("{beyond}", beyond(why))
        .replace("{objective}", objective(why))
    )


def words_of(why: "Attribution", row: int) -> Term:
    """The words for a term of this attribution."""
    found = term(why.terms[row])
    return on_gaps(found) if why.gaps else found


def beyond(why: "Attribution") -> str:
    """Where better values lie."""
    return "above" if why.direction == "maximize" else "below"


def objective(why: "Attribution") -> str:
    """What the objective is called in a sentence."""
    unnamed = "payoff" if why.direction == "maximize" else "value"
    return unnamed if why.objective == "objective" else why.objective


def place(why: "Attribution", parameter: int) -> str:
    """A parameter's value as people write it: "lifting 24.84 N"."""
    return value_of(why, why.parameters[parameter], why.point)


def value_of(why: "Attribution", name: str, point: Mapping[str, Value]) -> str:
    """A point's value as people write it; a parameter that does not exist there: "no base"."""
    return written(why, name, point[name]) if name in point else f"no {name}"


def written(why: "Attribution", name: str, value: Value) -> str:
    """A value after its name; one that begins with its name needs none: "tile 40"."""
    shown = f"{value:.4g}" if isinstance(value, float) else str(value)
    unit = f" {why.units[name]}" if why.units.get(name) else ""
    return f"{'' if names_itself(name, shown) else f'{name} '}{shown}{unit}"


def _joined(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
