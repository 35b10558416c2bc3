"""Rules: what each looks at, and that one number picks the right one."""

import jax.numpy as jnp
import numpy as np
import pytest

from counsel.teams.alignment import factor
from counsel.teams.credit import Side, Track
from counsel.teams.rules import (
    RULES,
    Moment,
    Settings,
    listens,
    misalignment,
    ratios,
)


def moment(**changes: object) -> Moment:
    side = Side(jnp.asarray(0.0), jnp.asarray(1.0), jnp.array([1.0, 2.0]))
    whole = Moment(
        t=jnp.asarray(4),
        machine=side,
        person=side,
        values=jnp.array([[0.2, 0.4], [0.5, 0.5]]),
        usual=ratios(jnp.array([0.2, 0.4])),
        reasons=jnp.array([1.0, 2.0]),
        own_reasons=ratios(jnp.array([1.0, 2.0])),
        warned=jnp.array([-jnp.inf, -jnp.inf]),
        best=jnp.asarray(0.0),
        unit=jnp.asarray(2.0),
        track=Track(jnp.zeros(5), jnp.zeros(5), jnp.zeros((5, 2))),
        tau=jnp.asarray(0.0),
        left=jnp.asarray(3.0),
        chance=jnp.asarray(0.4),
        lead=jnp.asarray(0.0),
        gained=jnp.asarray(0.0),
        fused=jnp.asarray(0),
        truth=jnp.array([1.0, 0.0]),
    )
    return whole._replace(**changes)


def says(rule: str, **changes: object) -> bool:
    code = jnp.asarray(list(RULES).index(rule))
    return bool(listens(code, moment(**changes), Settings()))


def test_the_simple_ones() -> None:
    assert not says("A0")
    assert says("A1")
    assert [says("A3", t=jnp.asarray(t)) for t in (1, 2, 3, 4, 6)] == [0, 1, 0, 1, 1]
    assert says("random")
    assert not says("random", chance=jnp.asarray(0.6))
    assert not says("oracle")
    assert says("oracle", truth=jnp.array([0.0, 1.0]))
    assert [says("A7", fused=jnp.asarray(at)) for at in (0, 1, 2)] == [False, True, False]


@pytest.mark.parametrize(("rule", "field"), [("A2", "usual"), ("A4", "own_reasons")])
def test_ratios_within_the_tolerated_factor_pass(rule: str, field: str) -> None:
    """(11) and (12): the machine's ratio is 1 to 2, the person's may be from 1 to 4 to 1 to 1."""
    assert not says(rule)
    for other, off in (((1.0, 3.9), False), ((1.0, 4.1), True), ((1.0, 0.9), True)):
        assert says(rule, **{field: ratios(jnp.array(other))}) is off
    assert says(rule, **{field: ratios(jnp.array([-1.0, 2.0]))})


def test_misalignment_is_the_ratio_of_ratios_that_a_study_has_too() -> None:
    """Averages of ratios, with signs; the live form is `teams.alignment`."""
    rng = np.random.default_rng(0)
    for p in (2, 3):
        for _ in range(20):
            ours, theirs = rng.normal(size=p) + 1.0, rng.normal(size=(4, p)) + 1.0
            usual = jnp.mean(jnp.stack([ratios(jnp.asarray(each)) for each in theirs]), axis=0)
            found = float(misalignment(jnp.asarray(ours), usual))
            assert found == pytest.approx(factor(ours, theirs), rel=1e-6)
    # Both against: two negative contributions are as much agreement as two positive ones.
    assert factor(np.array([-1.0, -2.0]), np.array([[-2.0, -4.0]])) == 1.0


def test_a_learned_rule_looks_at_each_contribution() -> None:
    """A5: the machine's contributions are 1 and 2; a level at or above one of them warns."""
    assert not says("A5")
    for level, heeded in (((0.9, 1.9), False), ((1.0, -jnp.inf), True), ((-jnp.inf, 2.1), True)):
        assert says("A5", warned=jnp.array(level)) is heeded
    assert says("A5", warned=jnp.array([jnp.inf, jnp.inf]))


def test_a_hedge_listens_the_more_often_the_better_the_person_did() -> None:
    assert [says("hedge", lead=jnp.asarray(lead)) for lead in (-1.0, 0.0, 1.0)] == [0, 1, 1]
    assert not says("hedge", chance=jnp.asarray(0.6))
    assert says("hedge", chance=jnp.asarray(0.6), lead=jnp.asarray(1.0))


def test_a_budget_covers_what_may_be_lost_now() -> None:
    """An sd below the mean, in sds of what was measured, which are 2 here."""
    mean, sd, reasons = jnp.asarray(0.0), jnp.asarray(1.0), jnp.zeros(2)
    allowed = float(Settings().budget)
    for more, heard in ((-0.1, True), (0.1, False)):
        lost = 2.0 * (allowed + more)
        assert says("budget", person=Side(mean - lost + sd, sd, reasons)) is heard
        # What was gained before may be lost as well, and what was lost is gone.
        for gained in (-1.0, 1.0):
            point = Side(mean - lost - 2.0 * gained + sd, sd, reasons)
            assert says("budget", person=point, gained=jnp.asarray(gained)) is heard
