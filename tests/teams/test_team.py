"""Teams: contributions on a grid, rules obeyed round by round, the same runs twice."""

from dataclasses import replace

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from counsel.errors import InvalidInput
from counsel.explain.exact import coalitions, shapley
from counsel.models.fit import shaped
from counsel.models.kernels import Prior, SquaredExponential
from counsel.teams.people import Person, knowledge_of, minds, see
from counsel.teams.rules import RULES, Settings, ratios
from counsel.teams.team import Runs, Task, contributions, grid_shape, run_alone, run_team

AXIS = np.linspace(0.0, 1.0, 6)
POINTS = np.array([(a, b) for b in AXIS for a in AXIS])
TRUTH = np.exp(-((POINTS[:, 0] - 0.8) ** 2 + (POINTS[:, 1] - 0.2) ** 2) / 0.1)
LIKE = shaped(SquaredExponential(np.ones(1)), (0, 1))
ROUNDS, FIRST, BLOCK = 6, 3, 2


def task(person: Person) -> Task:
    own = [knowledge_of(person, POINTS, TRUTH, np.random.default_rng(s)) for s in range(BLOCK)]
    rng = np.random.default_rng(9)
    return Task(
        truth=np.tile(TRUTH, (BLOCK, 1)),
        noise=0.01 * rng.standard_normal((BLOCK, FIRST + ROUNDS)),
        first=np.array([[1, 8, 30], [2, 14, 35]]),
        known=np.stack([each.arms for each in own]),
        believed=np.stack([each.values for each in own]),
        chance=rng.uniform(size=(BLOCK, FIRST + ROUNDS)),
        kappa=np.full(BLOCK, 2.0),
        own_kappa=np.full(BLOCK, person.kappa),
        flip=np.full(BLOCK, -1.0 if person.adversary else 1.0),
        says=np.full(BLOCK, -1.0 if person.two_faced else 1.0),
        learns=np.full(BLOCK, float(person.learns)),
        own=np.zeros(BLOCK),
        own_reasons=np.zeros((BLOCK, 2, 2)),
        own_values=np.zeros((BLOCK, 2, 2)),
        warned=np.full((BLOCK, 2), -np.inf),
    )


WELL, ENEMY = Person("well", knowledge=30), Person("enemy", knowledge=30, adversary=True)


def run(rule: str, person: Person = WELL) -> Runs:
    return run_team(rule, Settings(), LIKE, POINTS, task(person))


def test_contributions_are_shapley_values_over_all_arms() -> None:
    axes = [np.linspace(0.0, 1.0, n) for n in (3, 4, 2)]
    points = np.array([(a, b, c) for c in axes[2] for b in axes[1] for a in axes[0]])
    shape = grid_shape(points)
    values = np.random.default_rng(3).normal(size=len(points))
    for arm in (0, 7, 23):
        worth = []
        for members in coalitions(3):
            same = (points[:, members] == points[arm, members]).all(axis=1)
            worth.append(values[same].mean())
        found = contributions(jnp.asarray(values), jnp.asarray(arm), shape)
        np.testing.assert_allclose(found, shapley(np.array(worth)[:, None])[0], atol=1e-12)


def test_only_full_grids() -> None:
    with pytest.raises(InvalidInput, match="full grid"):
        grid_shape(POINTS[:-1])
    with pytest.raises(InvalidInput, match="full grid"):
        grid_shape(POINTS[:, ::-1])
    with pytest.raises(InvalidInput, match="rule"):
        run_team("A9", Settings(), LIKE, POINTS, task(WELL))


@pytest.mark.parametrize("rule", list(RULES))
def test_what_is_tried_is_what_the_rule_says(rule: str) -> None:
    # Somebody who knows a little is followed by A7 in some rounds and not in others.
    person = Person("little", knowledge=2) if rule == "A7" else WELL
    found = run(rule, person)
    assert found.arms.shape == (BLOCK, ROUNDS)
    expected = np.where(found.listened, found.person, found.machine)
    if rule == "A7":  # it may try what neither proposed
        np.testing.assert_array_equal(found.arms[found.listened], found.person[found.listened])
        assert (found.arms != expected).any()
    else:
        np.testing.assert_array_equal(found.arms, expected)
    np.testing.assert_array_equal(found.arms, run(rule, person).arms)
    if rule == "A3":
        np.testing.assert_array_equal(found.listened[0], [0, 1, 0, 1, 0, 1])
    if rule == "oracle":
        lead = TRUTH[found.person] > TRUTH[found.machine]
        np.testing.assert_array_equal(found.listened, lead)


def test_who_knows_helps_and_who_hates_is_found_out() -> None:
    def regret(found: Runs) -> float:
        return float((TRUTH.max() - TRUTH[found.arms]).sum(axis=1).mean())

    assert regret(run("A1")) < regret(run("A0")) < regret(run("A1", ENEMY))
    assert regret(run("A6")) < regret(run("A0"))
    assert regret(run("A7")) < regret(run("A0"))
    assert regret(run("A7", ENEMY)) < 0.5 * (regret(run("A0")) + regret(run("A1", ENEMY)))
    assert regret(run("A6", ENEMY)) < 0.5 * (regret(run("A0")) + regret(run("A1", ENEMY)))
    assert run("A6", ENEMY).listened[:, 2:].mean() < 0.25
    # Who hides it at first is found out by what comes of it.
    two_faced = replace(ENEMY, two_faced=True)
    followed = run("A6", two_faced).listened
    assert followed[:, 0].all()
    assert not followed[:, 3:].any()


def test_nobody_matters_to_the_machine_alone() -> None:
    np.testing.assert_array_equal(run("A0").arms, run("A0", ENEMY).arms)


def test_people_alone_do_what_a_team_does_that_always_listens() -> None:
    """The person learns from their own rounds just as from a team's without first pulls."""
    noise = np.zeros((BLOCK, 5))
    found = run_alone(LIKE, POINTS, task(WELL), noise)
    np.testing.assert_array_equal(found.y, TRUTH[found.arms])
    assert found.reasons.shape == (BLOCK, 5, 2)
    people = minds(LIKE, Prior(), POINTS, task(WELL).known, task(WELL).believed, room=140)
    for b in range(BLOCK):
        mind = jax.tree.map(lambda each, b=b: each[b], people)
        for t in range(5):
            arm = int(np.argmax(mind.bound(jnp.asarray(WELL.kappa))))
            assert arm == found.arms[b, t]
            expected = contributions(mind.mean, jnp.asarray(arm), grid_shape(POINTS))
            np.testing.assert_allclose(found.reasons[b, t], expected, atol=1e-9)
            mind = see(mind, jnp.asarray(POINTS), jnp.asarray(arm), jnp.asarray(TRUTH[arm]))


@pytest.mark.parametrize(("factor", "heeded"), [(1.0, False), (50.0, True)])
def test_averages_begin_with_the_rounds_that_a_person_had_alone(
    factor: float, heeded: bool
) -> None:
    """With very many of them, (12) compares the machine's ratios with theirs alone."""
    many = 1e12
    inner = task(WELL)._replace(
        first=np.array([[10, 0, 30], [10, 3, 35]]), kappa=np.full(BLOCK, 0.0)
    )
    first = POINTS[run_team("A0", Settings(), LIKE, POINTS, inner).machine[:, 0]]
    assert (first > 0.0).all()  # ratios of values mean something there
    theirs = np.stack([factor * np.asarray(ratios(jnp.asarray(each))) for each in first])
    given = inner._replace(own=np.full(BLOCK, many), own_values=many * theirs)
    found = run_team("A2", Settings(), LIKE, POINTS, given)
    assert found.listened[:, 0].tolist() == [heeded] * BLOCK
