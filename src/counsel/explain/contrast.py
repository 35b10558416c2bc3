"""Puts a contrast into words: why this point and not that one.

The contributions of a contrast add up to the difference between two points. The sentence says, for
each term that stands out, by how much the alternative differs and which parameter that is owed to:
"mainly because of" one that makes at least half of all that goes that way. The alternative is
whichever of the two was not proposed.
"""

from typing import TYPE_CHECKING

import numpy as np

from counsel.explain.sentence import MAINLY, clear, objective, place
from counsel.facts.terms import term

if TYPE_CHECKING:
    from counsel.explain.attribution import Attribution

MOST = 4  # terms that are mentioned
NOTABLE = 0.02  # of a term's own size, or two percentage points of a chance


def contrast(why: "Attribution") -> str:
    """One sentence about the alternative, from an attribution that has `instead_of`."""
    turned = -1.0 if why.proposal is not None else 1.0  # the other point is the alternative
    worth = np.where(clear(why), why.worth, 0.0).sum(axis=1)
    gaps = np.abs(why.total - why.base)
    units = np.array([1.0 if term(t).scale == "chance" else 0.0 for t in why.terms])
    units = np.maximum(units, np.maximum(np.abs(why.total), np.abs(why.base)))
    order = np.argsort(-np.abs(worth), kind="stable")[:MOST]
    told = [int(i) for i in order if worth[i] != 0.0 and gaps[i] >= NOTABLE * units[i]]
    if not told:
        return "The alternative is as good in every respect that stands out."
    parts = [f"{_difference(why, i, turned)}{_owed(why, i, turned)}" for i in told]
    return f"The alternative's {'; its '.join(parts)}."


def _difference(why: "Attribution", row: int, turned: float) -> str:
    words, gap = term(why.terms[row]), turned * float(why.total[row] - why.base[row])
    more = gap > 0.0
    if words.scale == "chance":
        base, total = (float(each[row]) for each in (why.base, why.total))
        there, here = (base, total) if turned < 0.0 else (total, base)
        return f"{words.meaning} is {_percent(there)} instead of {_percent(here)}"
    kind = words.tag.partition(":")[0]
    if kind == "approximation":
        certain = "less" if more == (why.signs[row] > 0.0) else "more"
        return f"outcome is {certain} certain"
    what = {"exploitation": f"expected {objective(why)}", "draw": f"drawn {objective(why)}"}
    return f"{what.get(kind, words.meaning)} is {abs(gap):.3g} {'higher' if more else 'lower'}"


def _owed(why: "Attribution", row: int, turned: float) -> str:
    """The parameter that most of the difference is owed to."""
    toward = turned * why.values[row]
    toward = toward * np.sign(toward.sum())
    most = int(np.argmax(toward))
    if toward[most] <= 0.0:
        return ""
    how = "mainly" if toward[most] >= MAINLY * toward.clip(min=0.0).sum() else "in part"
    assert why.instead_of is not None
    name = why.parameters[most]
    if turned > 0.0:
        return f", {how} because of {place(why, most)}"
    value = why.instead_of[name]
    shown = f"{value:.4g}" if isinstance(value, float) else f"{value}"
    return f", {how} because of {name}={shown}"


def _percent(chance: float) -> str:
    return f"{100.0 * chance:.0f}%"
