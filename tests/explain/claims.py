"""Reads the sentences of explanations back: who is said to do what, on which side, how much.

The phrases are spelled out here again, each with the quantity that it is about and whether it says
that the quantity becomes larger: a change of words has to be made twice, and looked at.
"""

import re
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from counsel.explain.attribution import Attribution

NOTHING = "Nothing about this point stands out from an average one."
_PLACE = r"(?:no [abc]|[abc] [\w.+-]*\w(?: mm)?)"
_PLACES = rf"{_PLACE}(?:, {_PLACE})*(?: and {_PLACE})?"
_OBJECTIVE = "(?:payoff|value)"
# phrase -> the term, and +1 if it says that what the term is about becomes larger
_PHRASES = {
    rf"raises? the expected {_OBJECTIVE}": ("exploitation", 1),
    rf"lowers? the expected {_OBJECTIVE}": ("exploitation", -1),
    r"makes? the outcome less certain": ("approximation", 1),
    r"makes? the outcome more certain": ("approximation", -1),
    rf"leaves? more room (?:above|below) the expected {_OBJECTIVE}": ("approximation", 1),
    rf"leaves? less room (?:above|below) the expected {_OBJECTIVE}": ("approximation", -1),
    r"raises? the exploration owed to rare outcomes": ("rarity", 1),
    r"lowers? the exploration owed to rare outcomes": ("rarity", -1),
    r"leads? to where the prior matters more": ("model", 1),
    r"leads? to where the prior matters less": ("model", -1),
    r"raises? the noise": ("aleatoric", 1),
    r"lowers? the noise": ("aleatoric", -1),
    r"raises? the improvement to expect": ("improvement", 1),
    r"lowers? the improvement to expect": ("improvement", -1),
    rf"raises? the {_OBJECTIVE} in the function that was drawn": ("draw", 1),
    rf"lowers? the {_OBJECTIVE} in the function that was drawn": ("draw", -1),
    r"makes? the choice between the two worth more": ("challenge", 1),
    r"makes? the choice between the two worth less": ("challenge", -1),
    r"leads? away from what was tried": ("spread", 1),
    r"leads? closer to what was tried": ("spread", -1),
}
_PHRASES |= {
    rf"raises? the known {_OBJECTIVE}": ("known", 1),
    rf"lowers? the known {_OBJECTIVE}": ("known", -1),
}
_ALL = "the constraints as a whole"
for _tag, _name, _holds in (
    ("calm", "calm", "calm is as required"),
    ("jerk", "jerk", "jerk is as required"),
    ("success", "success", "the trial works"),
    ("the overall answer", _ALL, "the constraints hold as a whole"),
):
    _PHRASES |= {
        rf"raises? the chance that {_holds}": (f"feasibility:{_tag}", 1),
        rf"lowers? the chance that {_holds}": (f"feasibility:{_tag}", -1),
        rf"raises? the margin of {_name}": (f"margin:{_tag}", 1),
        rf"lowers? the margin of {_name}": (f"margin:{_tag}", -1),
        rf"tells? more about {_name}": (f"insight:{_tag}", 1),
        rf"tells? less about {_name}": (f"insight:{_tag}", -1),
        rf"makes? it less clear whether {_holds}": (f"ambiguity:{_tag}", 1),
        rf"makes? it clearer whether {_holds}": (f"ambiguity:{_tag}", -1),
    }
_CLAUSE = re.compile(rf"({_PLACES}) ({'|'.join(_PHRASES)})(?:, and |, | and )?")
_OPENINGS = {
    "Proposed": (True, True),
    "Though proposed, it is rated below an average point,": (True, False),
    "Though proposed, it is rated below a point that is average in every respect,": (True, False),
    "Rated above an average point,": (False, True),
    "Rated above a point that is average in every respect,": (False, True),
    "Rated below an average point,": (False, False),
    "Rated below a point that is average in every respect,": (False, False),
}


@dataclass(frozen=True)
class Claim:
    """A parameter (by number) is said to raise or lower what a term is about."""

    parameter: int
    tag: str
    larger: int
    leading: bool  # on the side that the sentence opens with


@dataclass(frozen=True)
class Apart:
    """How the point is said to be rated apart from some chances, and what to expect of it."""

    chances: str
    above: bool
    gap: float | None  # of the expected objective, from an average one


@dataclass(frozen=True)
class Read:
    proposed: bool
    above: bool
    how: str  # "mainly", "in part", or "" where nothing stands out on the leading side
    claims: tuple[Claim, ...]
    average: str
    apart: Apart | None = None


_APART = re.compile(
    r" Apart from the (?P<chances>[^,]*), it is rated (?P<side>above|below) average"
    rf"(?:: the expected {_OBJECTIVE} is (?P<gap>[\d.e+-]+) (?P<way>higher|lower)"
    r"(?: \((?P<judged>better|worse)\))? than an average one)?\.$"
)


def check_efficiency(why: Attribution) -> None:
    """Term by term, base and contributions add up to the total, but for rounding."""
    sizes = np.abs(np.column_stack([why.base, why.values, why.total])).max(axis=1)
    assert (np.abs(why.base + why.values.sum(axis=1) - why.total) <= 1e-9 * sizes).all()


def read(text: str, why: Attribution) -> Read:
    """The sentences as data; they have to be understood to the last word."""
    second = _APART.search(text)
    if second is None:
        return _read(text, why)
    gap = None
    if second["gap"] is not None:
        gap = float(second["gap"]) * (1.0 if second["way"] == "higher" else -1.0)
        # Of a cost it is said what is better, because higher is not.
        lower = "better" if second["way"] == "lower" else "worse"
        assert second["judged"] == (lower if why.direction == "minimize" else None), text
    apart = Apart(second["chances"], second["side"] == "above", gap)
    return replace(_read(text[: second.start()], why), apart=apart)


def _read(text: str, why: Attribution) -> Read:
    found = re.fullmatch(
        r"(?P<opening>[^:=]*?,?)(?: (?P<how>mainly|in part) because (?P<rest>.*)"
        r"|: no single parameter stands out; (?P<other>.*))\.",
        text,
    )
    assert found, text
    opening = found["opening"]
    opening = opening if opening in _OPENINGS else f"{opening},"
    assert opening in _OPENINGS, text
    proposed, above = _OPENINGS[opening]
    average = next((each for each in ("every respect", "point") if each in opening), "")
    claims: list[Claim] = []
    if found["how"] is None:
        claims += _claims(_after(found["other"], above, text), why, leading=False)
        return Read(proposed, above, "", tuple(claims), average)
    for number, segment in enumerate(found["rest"].split("; ")):
        if segment.startswith(("against it, ", "for it, ")):
            claims += _claims(_after(segment, above, text), why, leading=False)
            continue
        as_well = re.search(rf", as (do|does) ({_PLACES})$", segment) if number == 0 else None
        own = segment[: as_well.start()] if as_well else segment
        first = _claims(own, why, leading=True)
        claims += first
        if as_well:
            others = [_parameter(place, why) for place in re.findall(_PLACE, as_well[2])]
            assert (as_well[1] == "do") == (len(others) > 1), text
            claims += [Claim(j, first[0].tag, first[0].larger, True) for j in others]
    return Read(proposed, above, found["how"], tuple(claims), average)


def _after(segment: str, above: bool, text: str) -> str:
    word = "against it, " if above else "for it, "
    assert segment.startswith(word), text
    return segment[len(word) :]


def _claims(segment: str, why: Attribution, *, leading: bool) -> list[Claim]:
    found, at = [], 0
    while at < len(segment):
        clause = _CLAUSE.match(segment, at)
        assert clause, (segment[at:], segment)
        places = re.findall(_PLACE, clause[1])
        tag, larger = next(
            each for phrase, each in _PHRASES.items() if re.fullmatch(phrase, clause[2])
        )
        verb = clause[2].split()[0]
        assert verb.endswith("s") == (len(places) == 1), segment
        found += [Claim(_parameter(place, why), tag, larger, leading) for place in places]
        at = clause.end()
    return found


def _parameter(place: str, why: Attribution) -> int:
    name, _, value = place.partition(" ")
    if name == "no":  # it does not exist there
        assert value not in why.point, place
        return why.parameters.index(value)
    given: Any = why.point[name]
    shown = f"{given:.4g}" if isinstance(given, float) else str(given)
    assert value == (f"{shown} mm" if name in why.units else shown), place
    return why.parameters.index(name)


@dataclass(frozen=True)
class Difference:
    """One part of a contrast: what of the alternative is how much more, and owed to what."""

    tag: str
    larger: int
    size: float | None  # where the sentence gives a number
    here: float | None  # chances of the other point and of the alternative
    there: float | None
    how: str
    owed: str | None
    judged: str | None = None  # "better" or "worse", where it is said


_NUMBER = r"(-?[\d.]+(?:e[+-]\d+)?)"
_MEANINGS = {
    rf"expected {_OBJECTIVE}": "exploitation",
    rf"drawn {_OBJECTIVE}": "draw",
    "exploration owed to rare outcomes": "rarity",
    "weight of the prior": "model",
    "noise": "aleatoric",
    "expected improvement on the best so far": "improvement",
}


def read_contrast(text: str) -> list[Difference]:
    if text == "The alternative differs in nothing that counts.":
        return []
    assert text.startswith("The alternative's "), text
    assert text.endswith("."), text
    return [_difference(part) for part in text[len("The alternative's ") : -1].split("; its ")]


def _difference(part: str) -> Difference:
    owed = re.search(rf", (mainly|in part) because of ({_PLACE})$", part)
    how, place = (owed[1], owed[2]) if owed else ("", None)
    body = part[: owed.start()] if owed else part
    certain = re.fullmatch(r"outcome is (less|more) certain", body)
    if certain:
        return Difference(
            "approximation", 1 if certain[1] == "less" else -1, None, None, None, how, place
        )
    room = re.fullmatch(
        rf"room (?:above|below) the expected {_OBJECTIVE} is (larger|smaller)", body
    )
    if room:
        return Difference(
            "approximation", 1 if room[1] == "larger" else -1, None, None, None, how, place
        )
    chance = re.fullmatch(
        rf"chance that (\w+) is as required is {_NUMBER}% instead of {_NUMBER}%", body
    )
    if chance:
        there, here = float(chance[2]) / 100.0, float(chance[3]) / 100.0
        larger = int(np.sign(there - here))
        return Difference(f"feasibility:{chance[1]}", larger, None, here, there, how, place)
    for meaning, tag in _MEANINGS.items():
        found = re.fullmatch(
            rf"{meaning} is (?:{_NUMBER} )?(higher|lower)(?: \((better|worse)\))?", body
        )
        if found:
            larger = 1 if found[2] == "higher" else -1
            size = None if found[1] is None else float(found[1])
            return Difference(tag, larger, size, None, None, how, place, found[3])
    raise AssertionError(part)
