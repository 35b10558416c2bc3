"""The table of acquisition terms: tag, label, meaning, colour and words.

Sentences, figures, pages and reports read it. An acquisition whose term has no entry is still
explained, under the term's own tag; `register` gives it words. A term about one constraint has the
constraint's name after a colon: `feasibility:comfort`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from counsel.errors import InvalidInput

__all__ = ["Scale", "Term", "about", "looks", "named", "place", "register", "term", "terms"]

# What a term's number is: part of a bound on the objective, in its units and direction; a gain in
# its units, larger is better whatever the direction; a chance; or a measure of its own.
Scale = Literal["objective", "gain", "chance", "own"]
SUCCESS = "success"  # in a tag: that a trial works at all
OVERALL = "the overall answer"  # in a tag: one answer for all constraints, their mean margin
_WORDS = ("label", "meaning", "favours", "opposes")


@dataclass(frozen=True, slots=True)
class Term:
    """One part of an acquisition.

    tag       as acquisitions return it and proposals record it
    label     a word for a legend
    meaning   what the number is, in a few words
    colour    and `pattern`, for people who cannot tell the colours apart
    favours   what a parameter does by which it speaks for a point, against an average one
    opposes   what it does by which it speaks against
    scale     what kind of number it is
    explores  whether it speaks for points because they teach something
    payoff    what its number is called if it is one of the objective itself
    better    what a point that is better in this term has, where its number alone means nothing
    worse     what a point that is worse in this term has
    avoided   whether less of it is better

    `favours` and `opposes` have a verb with {s}, which is "s" for one parameter; {raise} and
    {lower} are the verbs for better and worse of the objective; {objective} is what it is called,
    {beyond} the side of it on which better values lie, and {constraint} the constraint that the
    term is about.
    """

    tag: str
    label: str
    meaning: str
    colour: str
    pattern: str
    favours: str
    opposes: str
    scale: Scale = "own"
    explores: bool = False
    payoff: str = ""
    better: str = ""
    worse: str = ""
    avoided: bool = False


_TABLE: dict[str, Term] = {}
# Constraints are told apart by these, in their order; further ones by patterns as well.
_SHADES = (
    "#999933", "#117733", "#aa4499", "#44aa99", "#661100", "#ddcc77", "#cc6677", "#332288",
    "#882255", "#88ccee",
)  # fmt: skip
_PATTERNS = ("|", "/", "x", ".")


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
    kind, _, constraint = tag.partition(":")
    if kind in _TABLE:
        found = _TABLE[kind]
        name = constraint.replace("{", "").replace("}", "") or "every constraint"
        holds = "the trial works" if constraint == SUCCESS else f"{name} is as required"
        if constraint == OVERALL:
            name, holds = "the constraints as a whole", "the constraints hold as a whole"
        words = {
            word: getattr(found, word)
            .replace("{constraint} is as required", holds)
            .replace("{constraint}", name)
            for word in _WORDS
        }
        return replace(found, tag=tag, **words)
    own = tag.replace("{", "").replace("}", "")
    favours, opposes = f"raise{{s}} the term {own!r}", f"lower{{s}} the term {own!r}"
    return Term(tag, tag, tag, "#56b4e9", "\\", favours, opposes, "objective")


def on_gaps(found: Term) -> Term:
    """A term as it is on a logarithmic scale, where a bound is not a mean plus sds."""
    if found.tag != "approximation":
        return found
    return replace(
        found,
        meaning="room beyond the expected payoff (the bound less the mean)",
        favours="leave{s} more room {beyond} the expected {objective}",
        opposes="leave{s} less room {beyond} the expected {objective}",
        better="room {beyond} the expected {objective} is larger",
        worse="room {beyond} the expected {objective} is smaller",
    )


def looks(tags: Sequence[str]) -> tuple[Term, ...]:
    """The terms of these tags as one figure shows them: every constraint has its own colour."""
    constraints = list(dict.fromkeys(tag.partition(":")[2] for tag in tags if ":" in tag))
    found = []
    for tag in tags:
        one = term(tag)
        if ":" in tag:
            turn, shade = divmod(constraints.index(tag.partition(":")[2]), len(_SHADES))
            pattern = _PATTERNS[turn % len(_PATTERNS)] if turn else one.pattern
            one = replace(one, colour=_SHADES[shade], pattern=pattern)
        found.append(one)
    return tuple(found)


def about(kind: str, constraint: object) -> str:
    """The tag of a term of this kind that is about one constraint: its name, or its number."""
    return f"{kind}:{constraint}"


def named(tag: str, constraints: Sequence[str]) -> str:
    """A term's tag with the constraint's name in the place of its number.

    Compiled code knows constraints by number, counted from 1: other names compile nothing new.
    """
    kind, _, number = tag.partition(":")
    if number == "0":  # whether a trial works at all
        return about(kind, SUCCESS)
    return about(kind, constraints[int(number) - 1]) if number.isdecimal() and constraints else tag


def place(tag: str) -> tuple[int, int, str]:
    """The sort key of a term: table order first, then constraints by number, others by name."""
    kind, _, constraint = tag.partition(":")
    tags = list(_TABLE)
    number = int(constraint) if constraint.isdecimal() else 0
    return (tags.index(kind) if kind in _TABLE else len(tags)), number, tag


register(
    Term(
        "exploitation", "promise", "expected payoff (posterior mean)", "#0072b2", "",
        "{raise}{s} the expected {objective}", "{lower}{s} the expected {objective}", "objective",
        payoff="expected {objective}",
    )
)  # fmt: skip
register(
    Term(
        "approximation", "exploration", "uncertainty (posterior sd)", "#e69f00", "/",
        "make{s} the outcome less certain", "make{s} the outcome more certain", "objective",
        explores=True, better="outcome is less certain", worse="outcome is more certain",
    )
)  # fmt: skip
register(
    Term(
        "rarity", "rarity", "exploration owed to rare outcomes", "#f0e442", "\\",
        "raise{s} the exploration owed to rare outcomes",
        "lower{s} the exploration owed to rare outcomes", "objective", explores=True,
    )
)  # fmt: skip
register(
    Term(
        "reduction", "settling", "what a trial settles over the whole space", "#999999", "\\",
        "settle{s} more about the space as a whole", "settle{s} less about the space as a whole",
        "objective", explores=True,
    )
)  # fmt: skip
register(
    Term(
        "model", "prior", "weight of the prior", "#009e73", "x",
        "lead{s} to where the prior matters more", "lead{s} to where the prior matters less",
        "objective", explores=True,
    )
)  # fmt: skip
register(
    Term(
        "aleatoric", "noise", "noise to avoid", "#cc79a7", ".",
        "lower{s} the noise", "raise{s} the noise", "objective",
        better="noise is lower", worse="noise is higher", avoided=True,
    )
)  # fmt: skip
register(
    Term(
        "guess", "guess", "nearness to a guess of the optimum", "#117733", "-",
        "lead{s} to where somebody expects the optimum",
        "lead{s} away from where somebody expects the optimum", "own",
    )
)  # fmt: skip
register(
    Term(
        "advice", "advice", "support by what people said", "#aa3377", "x",
        "lead{s} to what people spoke for", "lead{s} away from what people spoke for", "own",
    )
)  # fmt: skip
register(
    Term(
        "improvement", "improvement", "expected improvement on the best so far", "#56b4e9", "+",
        "raise{s} the improvement to expect", "lower{s} the improvement to expect", "gain",
    )
)  # fmt: skip
register(
    Term(
        "rareness", "rareness", "how rare the predicted payoff is", "#b8a800", "\\",
        "lead{s} to where payoffs are rarer", "lead{s} to where payoffs are more usual",
        explores=True,
    )
)  # fmt: skip
register(
    Term(
        "knowledge", "knowledge", "expected rise of the best payoff believed in", "#5566aa", "x",
        "raise{s} what knowing more is expected to gain",
        "lower{s} what knowing more is expected to gain", "gain", explores=True,
    )
)  # fmt: skip
register(
    Term(
        "information", "information", "information about the best payoff", "#aa7744", "/",
        "tell{s} more about how good the best can be",
        "tell{s} less about how good the best can be", explores=True,
    )
)  # fmt: skip
register(
    Term(
        "challenge", "challenge", "expected gain of a choice between the two", "#332288",
        "+", "make{s} the choice between the two worth more",
        "make{s} the choice between the two worth less", "gain", explores=True,
    )
)  # fmt: skip
register(
    Term(
        "draw", "sampled value", "one draw from what is believed", "#d55e00", "-",
        "{raise}{s} the {objective} in the function that was drawn",
        "{lower}{s} the {objective} in the function that was drawn", "objective",
        payoff="drawn {objective}",
    )
)  # fmt: skip
register(
    Term(
        "known", "payoff", "known payoff of the nearest candidate", "#0099bb", "\\",
        "{raise}{s} the known {objective}", "{lower}{s} the known {objective}", "objective",
    )
)  # fmt: skip
register(
    Term(
        "bound", "bound", "logarithm of the bound above its least value", "#0088aa", "",
        "raise{s} the bound", "lower{s} the bound",
    )
)  # fmt: skip
register(
    Term(
        "feasibility", "{constraint} is as required", "chance that {constraint} is as required",
        "#999933", "|",
        "raise{s} the chance that {constraint} is as required",
        "lower{s} the chance that {constraint} is as required", "chance",
    )
)  # fmt: skip
register(
    Term(
        "margin", "margin of {constraint}", "expected margin of {constraint}", "#6699cc", "|",
        "raise{s} the margin of {constraint}", "lower{s} the margin of {constraint}",
    )
)  # fmt: skip
register(
    Term(
        "insight", "insight", "insight into {constraint}", "#004488", "x",
        "tell{s} more about {constraint}", "tell{s} less about {constraint}", explores=True,
    )
)  # fmt: skip
register(
    Term(
        "spread", "distance", "distance to the nearest trial", "#bbcc33", ".",
        "lead{s} away from what was tried", "lead{s} closer to what was tried", explores=True,
    )
)  # fmt: skip
register(
    Term(
        "ambiguity", "{constraint} unclear", "uncertainty about {constraint}",
        "#882255", "", "make{s} it less clear whether {constraint} is as required",
        "make{s} it clearer whether {constraint} is as required", explores=True,
    )
)  # fmt: skip
