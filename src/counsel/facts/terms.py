"""The table of acquisition terms: tag, label, meaning, colour and words.

Sentences, figures, pages and reports read it. An acquisition whose term has no entry is still
explained, under the term's own tag; `register` gives it words.
"""

from dataclasses import dataclass

from counsel.errors import InvalidInput

__all__ = ["Term", "place", "register", "term", "terms"]


@dataclass(frozen=True, slots=True)
class Term:
    """One additive part of an acquisition.

    tag       as acquisitions return it and proposals record it
    label     a word for a legend
    meaning   what the number is, in a few words
    colour    and `pattern`, for people who cannot tell the colours apart
    leads     what the parameter that raises it most does; {good} and {objective} are filled in
    adds      what other parameters that raise it add
    costs     what parameters that lower it cost; `adds_cost` where lowering means *more* of it
    """

    tag: str
    label: str
    meaning: str
    colour: str
    pattern: str
    leads: str
    adds: str
    costs: str
    adds_cost: bool = False


_TABLE: dict[str, Term] = {}


def register(entry: Term) -> Term:
    """Register a new term."""
    if entry.tag in _TABLE:
        raise InvalidInput("term", entry.tag, "A term with this tag exists; choose another tag.")
    _TABLE[entry.tag] = entry
    return entry


def terms() -> tuple[Term, ...]:
    """Every term with words, in the order in which explanations list them."""
    return tuple(_TABLE.values())


def term(tag: str) -> Term:
    """The term of this tag; one without an entry is shown under its tag."""
    named = repr(tag)
    return _TABLE.get(tag) or Term(
        tag, tag, tag, "#56b4e9", "\\", f"raises the term {named}", named, named
    )


def place(tag: str) -> tuple[int, str]:
    """The sort key of a term: table order first, then other terms by name."""
    tags = list(_TABLE)
    return (tags.index(tag) if tag in _TABLE else len(tags)), tag


register(
    Term(
        "exploitation", "promise", "expected payoff (posterior mean)", "#0072b2", "",
        "promises a {good} {objective}", "promise", "promise",
    )
)  # fmt: skip
register(
    Term(
        "approximation", "exploration", "uncertainty (posterior sd)", "#e69f00", "/",
        "is little explored", "exploration", "exploration",
    )
)  # fmt: skip
register(
    Term(
        "model", "prior", "how much the prior matters", "#009e73", "x",
        "lies where the prior matters most", "insight into the prior", "insight into the prior",
    )
)  # fmt: skip
register(
    Term(
        "aleatoric", "noise", "noise to avoid", "#cc79a7", ".",
        "keeps the noise low", "less noise", "noise", adds_cost=True,
    )
)  # fmt: skip
register(
    Term(
        "improvement", "improvement", "expected improvement", "#56b4e9", "+",
        "makes an improvement likely", "to the chance of one", "chances",
    )
)  # fmt: skip
register(
    Term(
        "draw", "sampled value", "one draw from what is believed", "#d55e00", "-",
        "does well in the sampled function", "to that", "value in that function",
    )
)  # fmt: skip
register(
    Term(
        "feasibility", "feasibility", "chance that all constraints hold (log)", "#999933", "|",
        "makes it likely that the constraints hold", "feasibility", "feasibility",
    )
)  # fmt: skip
register(
    Term(
        "ambiguity", "ambiguity", "how unclear it is whether the constraints hold", "#882255", "",
        "lies where it is unclear whether the constraints hold", "ambiguity", "ambiguity",
    )
)  # fmt: skip
