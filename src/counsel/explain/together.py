"""Pairs of parameters that act together: which of them matter, and in words.

Small interactions are left out: a pair is mentioned if it is worth at least a quarter of the
largest contribution in what was maximised, and clear of the errors.
"""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from counsel.explain.sentence import SHARE, clear, filled, place, words_of

if TYPE_CHECKING:
    from counsel.explain.attribution import Attribution

MOST = 2  # pairs that are mentioned


class Pair(NamedTuple):
    """Two parameters and what they add to each other in one term, in that term's units."""

    term: str
    first: str
    second: str
    value: float


def pairs(why: "Attribution") -> tuple[Pair, ...]:
    """The pairs that matter, the largest first; none where interactions are not known."""
    if why.interactions is None:
        return ()
    worth = np.where(clear(why), np.abs(why.worth), 0.0)
    least = SHARE * float(worth.max(initial=0.0))
    found = []
    for i, tag in enumerate(why.terms):
        for j in range(len(why.parameters)):
            for k in range(j):
                value = 2.0 * float(why.interactions[i, j, k])
                sure = abs(value) > 2.0 * float(why.error[i, j] + why.error[i, k])
                size = abs(value) * abs(float(why.rates[i, 0]))
                if sure and least > 0.0 and size >= least:
                    pair = Pair(tag, why.parameters[k], why.parameters[j], value)
                    found.append((size, pair))
    return tuple(pair for _, pair in sorted(found, key=lambda each: -each[0]))


def together(why: "Attribution") -> str:
    """The pairs that matter in words, or ""."""
    return " ".join(_told(why, pair) for pair in pairs(why)[:MOST])


def _told(why: "Attribution", pair: Pair) -> str:
    row = why.terms.index(pair.term)
    words = words_of(why, row)
    names = [place(why, why.parameters.index(name)) for name in (pair.first, pair.second)]
    much, more = f"{abs(pair.value):.3g} ", pair.value > 0.0
    if words.scale == "chance":
        much = f"{100.0 * abs(pair.value):.2g} points "
    elif words.scale == "objective" and not words.payoff:
        # Weighted: the number by itself means nothing, and the sign is that of its worth.
        much, more = "", (pair.value * float(why.signs[row]) > 0.0) != words.avoided
    verb, joint = ("add", "to") if more else ("take", "from")
    noun = words.label if words.avoided else filled(why, words.payoff) or words.meaning
    text = f"Together, {names[0]} and {names[1]} {verb} {much}{joint} the {noun}"
    return f"{text}, beyond what each does by itself."
