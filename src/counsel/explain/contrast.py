"""Puts a contrast into words: why this point and not that one.

The contributions of a contrast add up to the difference between two points. The sentence says, for
each term that counts, by how much the alternative differs and which parameter that is owed to:
"mainly because of" one that makes at least half of all that goes that way. The alternative is
the point that was not proposed, or else the one that `instead_of` names.

A term counts if its difference is worth at least a twentieth of the largest one in what was
maximised. The level of the objective makes no difference: 5 of 332 may be all that matters. Where
one of the two is hopeless in one respect, the logarithm of that outweighs everything else; a chance
that differs by a tenth or more counts all the same.
"""

from typing import TYPE_CHECKING

import numpy as np

from counsel.explain.sentence import MAINLY, clear, farther, filled, place, value_of, words_of

if TYPE_CHECKING:
    from counsel.explain.attribution import Attribution

# What a point is compared with, as its attribution says: only this one was proposed.
THE_PROPOSAL = "the proposal"
MOST = 4  # terms that are mentioned
NOTABLE = 0.05  # of the largest difference
TOLD = 0.1  # a difference between chances that is always told
_DIGITS = 4  # of a percentage, at most
_NONE = "The alternative differs in nothing that counts."


def contrast(why: "Attribution") -> str:
    """One sentence about the alternative, from an attribution that has `instead_of`."""
    # Is it the explained point, or the other one?
    turned = 1.0 if why.background == THE_PROPOSAL else -1.0
    # Not the sum of contributions: where these cancel out, little is left of it but rounding.
    worth = turned * why.gains
    largest = float(np.abs(worth).max())
    order = np.argsort(-np.abs(worth), kind="stable")
    parts = [
        f"{told}{_owed(why, int(i), turned)}"
        for i in order
        if _counts(why, int(i), abs(float(worth[i])), largest)
        and (told := _difference(why, int(i), turned, better=bool(worth[i] > 0.0)))
    ]
    return f"The alternative's {'; its '.join(parts[:MOST])}." if parts else _NONE


def _counts(why: "Attribution", row: int, worth: float, largest: float) -> bool:
    """Whether a term is to be told of."""
    if words_of(why, row).scale == "chance" and abs(why.total[row] - why.base[row]) >= TOLD:
        return True
    return worth >= max(NOTABLE * largest, 1e-300)


def _difference(why: "Attribution", row: int, turned: float, *, better: bool) -> str:
    """What is different, or "" where the numbers would look the same."""
    words, gap = words_of(why, row), turned * float(why.total[row] - why.base[row])
    if words.scale == "chance":
        base, total = float(why.base[row]), float(why.total[row])
        chances = (base, total) if turned < 0.0 else (total, base)
        for digits in range(_DIGITS + 1):
            there, here = (f"{100.0 * chance:.{digits}f}%" for chance in chances)
            if there != here:
                return f"{words.meaning} is {there} instead of {here}"
        return ""
    if words.better:
        return filled(why, words.better if better else words.worse)
    if words.payoff:
        return f"{filled(why, words.payoff)} is {farther(gap, why.direction)}"
    if words.scale == "objective":  # weighted: the number by itself means nothing
        return f"{words.meaning} is {'higher' if better else 'lower'}"
    return f"{words.meaning} is {abs(gap):.3g} {'higher' if better else 'lower'}"


def _owed(why: "Attribution", row: int, turned: float) -> str:
    """The parameter that most of the difference is owed to."""
    toward = turned * np.where(clear(why)[row], why.values[row], 0.0)
    toward = toward * np.sign(turned * float(why.total[row] - why.base[row]))
    most = int(np.argmax(toward))
    if toward[most] <= 0.0:
        return ""
    how = "mainly" if toward[most] >= MAINLY * toward.clip(min=0.0).sum() else "in part"
    assert why.instead_of is not None
    name = why.parameters[most]
    if turned > 0.0:
        return f", {how} because of {place(why, most)}"
    return f", {how} because of {value_of(why, name, why.instead_of)}"
