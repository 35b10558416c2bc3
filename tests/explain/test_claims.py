"""Every claim of every sentence is true: recomputed in NumPy, for random rounds of all policies."""

import math
from functools import partial
from typing import Any

import numpy as np
import pytest

import counsel as cs
from counsel.acquisition.terms import parts as parts_of
from counsel.explain.attribution import Attribution
from counsel.explain.background import Background, spread
from counsel.explain.game import on_host
from counsel.explain.methods import attribute
from explain.claims import NOTHING, Read, check_efficiency, read, read_contrast
from explain.oracle import BOX, CONSTRAINTS, CONTEXT, POLICIES, Case, Part, in_blocks, random_case

SAME = 1e-6  # ties, as shares of the largest


def explained(case: Case, **options: Any) -> Attribution:
    return attribute(
        case.score,
        case.space,
        case.point,
        context=case.context,
        proposal="p1" if case.proposed else None,
        direction=case.direction,  # type: ignore[arg-type]
        constraints=CONSTRAINTS,
        **options,
    )


def ends(part: Part, point: np.ndarray, against: np.ndarray) -> tuple[float, float]:
    low, high = float(part.quantity(against).mean()), float(part.quantity(point[None, :])[0])
    more = part.raised
    return (max(low, 1e-300) + more, max(high, 1e-300) + more) if part.log else (low, high)


def gains(case: Case, point: np.ndarray, against: np.ndarray) -> dict[str, float]:
    """What the difference between two averages is worth in what is maximised, by quantity."""
    found = {}
    for tag, part in case.parts.items():
        low, high = ends(part, point, against)
        found[tag] = part.log * math.log(high / low) if part.log else part.good * (high - low)
    return found


def rates(
    case: Case, point: np.ndarray, against: np.ndarray, told: dict[str, np.ndarray]
) -> dict[str, float]:
    """What a unit of each contribution is worth in what is maximised, between two averages."""
    found = {}
    for tag, part in case.parts.items():
        if not part.log:
            found[tag] = part.good
            continue
        low, high = ends(part, point, against)
        more = max(0.0, float(np.abs(told[tag]).max()) - 10.0 * (low + high))
        low, high = low + more, high + more
        even = abs(high - low) <= 1e-9 * low
        found[tag] = part.log / low if even else part.log * math.log(high / low) / (high - low)
    return found


def check_numbers(case: Case, why: Attribution, told: dict[str, np.ndarray]) -> None:
    """Bases, totals and contributions are those of the quantities that the terms are about."""
    assert set(why.terms) == set(told)
    point, against = case.encoded(case.point), case.around()
    for i, tag in enumerate(why.terms):
        part = case.parts[tag]
        # In an attribution a term carries the weight that it has in what is maximised.
        sign = why.signs[i]
        unit = 1.0 if part.log else sign * part.good
        size = np.abs(unit * part.quantity(against)).max() + abs(why.total[i])
        size += np.abs(unit * told[tag]).max()  # contributions may cancel out to next to nothing
        near = {"rtol": 1e-6, "atol": 1e-7 * size}
        np.testing.assert_allclose(why.values[i], unit * told[tag], err_msg=tag, **near)
        here = float(part.quantity(point[None, :])[0])
        np.testing.assert_allclose(why.total[i], unit * here, err_msg=tag, **near)
        average = float(part.quantity(against).mean())
        np.testing.assert_allclose(why.base[i], unit * average, err_msg=tag, **near)
    check_efficiency(why)


def check_claims(found: Read, case: Case, worth: dict[str, np.ndarray], told: Any) -> None:
    gain = sum(gains(case, case.encoded(case.point), case.around()).values())
    largest = max(float(np.abs(row).max()) for row in worth.values())
    assert found.proposed == case.proposed
    if abs(gain) > SAME * largest:
        assert found.above == (gain > 0.0)
    side = 1.0 if found.above else -1.0
    mentioned = set()
    for claim in found.claims:
        row = told[claim.tag]
        value = float(row[claim.parameter])
        assert np.sign(value) == claim.larger, (claim, value)
        speaks = float(worth[claim.tag][claim.parameter])
        assert speaks * side * (1.0 if claim.leading else -1.0) > 0.0, (claim, speaks)
        assert abs(speaks) >= (0.25 - SAME) * largest, (claim, speaks, largest)
        mentioned.add((claim.tag, claim.parameter))
    assert len(mentioned) == len(found.claims)
    # The leading side: what it opens with is the largest, and "mainly" is half of all.
    cells = {(t, j): side * float(w) for t, row in worth.items() for j, w in enumerate(row)}
    if found.how:
        first = found.claims[0]
        lead = cells[first.tag, first.parameter]
        assert lead >= max(cells.values()) * (1.0 - SAME)
        share = lead / sum(max(each, 0.0) for each in cells.values())
        assert (share > 0.5 - SAME) if found.how == "mainly" else (share < 0.5 + SAME)
    # What stands out is not kept silent.
    for turn in (1.0, -1.0):
        large = [cell for cell, each in cells.items() if turn * each > (0.25 + SAME) * largest]
        if len(large) <= 4:
            assert mentioned >= set(large)


def check_apart(found: Read, case: Case) -> None:
    """What is said of the point apart from its chances, and nothing where they do not decide."""
    each = gains(case, case.encoded(case.point), case.around())
    chances = [tag for tag in each if tag.startswith("feasibility")]
    rest = sum(gain for tag, gain in each.items() if tag not in chances)
    whole, largest = sum(each.values()), max(map(abs, each.values()))
    if min(abs(rest), abs(whole)) <= SAME * largest:
        return
    decided = 0 < len(chances) < len(each) and (rest > 0.0) != (whole > 0.0)
    assert (found.apart is not None) == decided
    if found.apart is None:
        return
    assert found.apart.above == (rest > 0.0)
    name = chances[0].partition(":")[2]
    holds = {
        "success": "the trial works",
        "the overall answer": "the constraints hold as a whole",
    }.get(name, f"{name} is as required")
    one = f"chance that {holds}"
    assert found.apart.chances == (one if len(chances) == 1 else "chances that constraints hold")
    reason = "exploitation" in each and (each["exploitation"] > 0.0) == (rest > 0.0)
    assert (found.apart.gap is not None) == reason
    if found.apart.gap is not None:
        low, high = ends(case.parts["exploitation"], case.encoded(case.point), case.around())
        assert found.apart.gap == pytest.approx(high - low, rel=6e-3)


def check(seed: int, policy: str) -> None:
    case = random_case(seed, policy)
    against = Background(case.background, "given")
    told = case.contributions()
    why = explained(case, background=against)
    check_numbers(case, why, told)
    scale = rates(case, case.encoded(case.point), case.around(), told)
    worth = {tag: scale[tag] * row for tag, row in told.items()}
    text = why.sentence()
    if text == NOTHING:
        for tag, row in told.items():
            unit = np.abs(case.parts[tag].quantity(case.around())).max()
            assert np.abs(row).max() <= 1e-8 * unit
    else:
        found = read(text, why)
        assert found.average in ("", "every respect" if case.mixed else "point"), text
        check_claims(found, case, worth, told)
        check_apart(found, case)
    check_contrast(case)


def check_contrast(case: Case) -> None:
    why = explained(case, instead_of=case.other, instead_of_proposal=not case.proposed)
    check_efficiency(why)
    here, there = case.encoded(case.point), case.encoded(case.other)
    point, other = (here, there) if case.proposed else (there, here)  # `other` is the alternative
    told = {
        tag: case.shares(part.quantity, other, point[None, :]) for tag, part in case.parts.items()
    }
    sizes = {tag: abs(size) for tag, size in gains(case, here, there[None, :]).items()}
    found = read_contrast(why.sentence())
    alternative = case.other if case.proposed else case.point
    for part in found:
        row, quantity = told[part.tag], case.parts[part.tag].quantity
        gap = float(quantity(other[None, :])[0] - quantity(point[None, :])[0])
        assert np.sign(gap) == part.larger, (part, gap)
        judged = None  # of a cost it is said what is better, because higher is not
        if case.direction == "minimize" and part.tag in ("exploitation", "draw"):
            judged = "better" if gap < 0.0 else "worse"
        assert part.judged == judged, part
        if part.size is not None:
            unit = abs(case.parts[part.tag].good) if part.tag not in ("improvement",) else 1.0
            if part.tag == "exploitation" or part.tag == "draw":
                unit = 1.0
            assert part.size == pytest.approx(unit * abs(gap), rel=6e-3), part
        if part.here is not None and part.there is not None:
            for shown, at in ((part.here, point), (part.there, other)):
                assert abs(shown - float(quantity(at[None, :])[0])) <= 0.00501
        if part.owed is not None:
            name, _, value = part.owed.partition(" ")
            if name == "no":
                name = value
                assert name not in alternative
            else:
                given = alternative[name]
                shown = f"{given:.4g}" if isinstance(given, float) else str(given)
                assert value == (f"{shown} mm" if case.space.unit(name) else shown)
            toward = np.sign(gap) * row
            most = float(toward[case.space.names.index(name)])
            assert most >= toward.max() * (1.0 - SAME)
            share = most / toward.clip(min=0.0).sum()
            assert (share > 0.5 - SAME) if part.how == "mainly" else (share < 0.5 + SAME)
    largest = max(sizes.values())
    named = {part.tag for part in found}
    for tag, size in sizes.items():
        shown = case.parts[tag].log == 0.0 or tag == "improvement"
        if size > 0.1 * largest and shown and len(sizes) <= 4:
            assert tag in named, (tag, why.sentence())


@pytest.mark.parametrize("policy", POLICIES)
def test_every_claim_is_true(policy: str) -> None:
    for seed in range(6):
        check(seed, policy)


@pytest.mark.slow
@pytest.mark.parametrize("policy", POLICIES)
def test_every_claim_is_true_of_thousands(policy: str) -> None:
    for seed in range(1_000, 1_400):
        check(seed, policy)


def check_whole(seed: int, policy: str) -> tuple[int, int]:
    """Against a whole box: claims hold for many more points than were used, errors are honest.

    Returns how many values are within twice their stated error, and how many have one.
    """
    case = random_case(seed, policy)
    if case.space not in (BOX, CONTEXT):
        return 0, 0
    why = explained(case)
    given = case.space.encode_context(case.context)
    many = spread(case.space, 16_384)
    fine = case.contributions(np.concatenate([many, np.tile(given, (len(many), 1))], axis=1))
    text = why.sentence()
    for claim in read(text, why).claims if text != NOTHING else ():
        value = float(fine[claim.tag][claim.parameter])
        assert np.sign(value) == claim.larger, (claim, value, text)
    stated, within = why.error > 0.0, 0
    for i, tag in enumerate(why.terms):
        part = case.parts[tag]
        unit = 1.0 if part.log else why.signs[i] * part.good
        off = np.abs(why.values[i] - unit * fine[tag])
        within += int((stated[i] & (off <= 2.0 * why.error[i])).sum())
    return within, int(stated.sum())


@pytest.mark.slow
def test_claims_about_a_whole_box_hold_beyond_the_points_that_were_used() -> None:
    found = [
        check_whole(seed, policy) for policy in ("v-ucb", "ei", "lw-ucb") for seed in range(34)
    ]
    within, stated = np.sum(found, axis=0)
    assert within >= 0.9 * stated, (within, stated)


# ---- studies as people run them ------------------------------------------------------------------

# The policies with phases, and one of the others; what each part is about, and how it counts.
_LEARNERS = ("dmcl", "mcl", "acl", "acol", "preference", "v-ucb", "ei")
_MAXIMISERS = ("v-ucb", "ei")
_LOGS = ("feasibility", "improvement", "challenge")


def played(seed: int, policy: str) -> cs.Study:
    """A random study over arms, with a rejected proposal, one under way, and the last one asked.

    Of policies that maximise a bound or a gain, some late ones and some with trials that failed.
    """
    rng = np.random.default_rng([seed, _LEARNERS.index(policy)])
    arms = cs.Arms(rng.uniform(size=(10, 3)).round(3), names=["a", "b", "c"])
    limits = [cs.Constraint("calm", at_least=0.2), cs.Constraint("jerk", at_most=0.7)]
    study = cs.create_study(
        arms,
        policy=policy,
        seed=seed,
        direction=("maximize", "minimize")[rng.integers(2)],
        constraints=[] if policy == "preference" else limits,
    )
    level, slopes = float(rng.choice([0.0, 300.0])), rng.normal(size=(3, 3))
    order, count, failed = rng.permutation(10), int(rng.integers(3, 6)), 0
    if policy in _MAXIMISERS:
        count, failed = count + int(rng.choice([0, 2])), int(rng.integers(3))
    for i in order[count : count + failed]:
        study.fail(arms[int(i)])
    for i in order[:count]:
        value, calm, jerk = slopes @ arms.points[i]
        answers = None if policy == "preference" else {"calm": float(calm), "jerk": float(jerk)}
        study.tell(arms[int(i)], level + float(value), constraints=answers)
    study.reject(study.ask(), actor="ann")
    study.ask()
    return study


def check_study(seed: int, policy: str) -> str | None:
    study = played(seed, policy)
    try:
        proposal = study.ask()
        why = study.explain(proposal)
    except cs.CounselError:  # nothing left to try, or a trial that is there for others
        return None
    score: Any = study.explaining.score_of(proposal)
    arms, direction = study.problem.space, study.problem.objective.direction
    numbers = {"success": "0", "calm": "1", "jerk": "2"}
    sign = 1.0 if direction == "maximize" else -1.0
    parts = {}
    for tag in why.terms:
        kind, _, name = tag.partition(":")
        own = f"{kind}:{numbers.get(name, name)}" if name else kind
        turned = sign if kind in ("exploitation", "known") else 1.0

        def quantity(x: np.ndarray, own: str = own, turned: float = turned) -> np.ndarray:
            found = score.parts(x) if on_host(score) else in_blocks(partial(parts_of, score), x)
            return turned * np.asarray(found[own])

        raised = float(np.asarray(getattr(score, "raised", {}).get(kind, 0.0)))
        parts[tag] = Part(quantity, good=turned)
        if kind in _LOGS:
            parts[tag] = Part(quantity, log=1.0, raised=raised)
        if kind == "feasibility" and policy in _MAXIMISERS:
            working = name == "success" and score.working is not None
            parts[tag] = Part(quantity, log=float(score.working if working else score.unit))
    above = None
    if getattr(score, "scale", None) is not None:  # chances multiply the bound above its floor
        above = float(score.floor), float(score.scale), float(score.unit)
    case = Case(
        policy, arms, direction, score, parts, np.asarray(arms.points), {},  # type: ignore[union-attr]
        dict(proposal.values), {}, True, above,
    ).weighed(between=True)  # fmt: skip
    told = case.contributions()
    check_efficiency(why)
    text = why.sentence()
    if text != NOTHING:
        scale = rates(case, case.encoded(case.point), case.around(), told)
        worth = {tag: scale[tag] * row for tag, row in told.items()}
        found = read(text, why)
        check_claims(found, case, worth, told)
        check_apart(found, case)
    return text


@pytest.mark.parametrize("policy", [*_LEARNERS[:4], "ei"])
def test_so_is_every_claim_about_a_study(policy: str) -> None:
    found = [check_study(seed, policy) for seed in range(5)]
    assert len([each for each in found if each]) > 2


@pytest.mark.slow
@pytest.mark.parametrize("policy", _LEARNERS)
def test_so_is_every_claim_about_many_studies(policy: str) -> None:
    found = [check_study(seed, policy) for seed in range(100, 160)]
    assert sum(each is not None for each in found) > 30
