"""Whether what ships is as sure as it says: on driving and on invented worlds."""

import numpy as np
import pandas as pd
import pytest

from counsel.constraints.certificate import Certificate, gather
from counsel.experiments.dmcl.studies import Played, play
from counsel.models.believing import believe
from counsel.models.outcomes import Prior, numbers
from counsel.policies.dmcl import DMCL
from counsel.worlds.driving import driving
from counsel.worlds.invented import INVENTED


def test_chances_are_right_as_often_as_they_say() -> None:
    """Functions drawn from the prior, settings and all: chances of "holds" against what is true."""
    rng = np.random.default_rng(0)
    said, held = [], []
    for _ in range(60):
        x = rng.uniform(size=(12, 2))
        lengthscale = 0.5 * np.sqrt(2.0) * np.exp(0.4 * rng.standard_normal(2))
        gaps = np.sqrt(5.0 * (((x[:, None] - x[None]) / lengthscale) ** 2).sum(axis=2))
        kernel = np.exp(0.5 * rng.standard_normal()) * (1 + gaps + gaps**2 / 3) * np.exp(-gaps)
        truth = np.linalg.cholesky(kernel + 1.0 + 1e-9 * np.eye(12)) @ rng.standard_normal(12)
        noise = np.exp(0.5 * (-5.0 + rng.standard_normal()))
        y = truth[:5] + noise * rng.standard_normal(5)
        said.append(believe(numbers(x[:5], y), Prior()).at(x).chance())
        held.append(truth >= 0.0)
    chance, holds = np.concatenate(said), np.concatenate(held)
    for low, high in ((0.0, 0.2), (0.2, 0.8), (0.8, 0.98), (0.98, 1.0)):
        among = (chance >= low) & (chance <= high)
        expected, seen = chance[among].mean(), holds[among].mean()
        assert abs(expected - seen) < 3.0 * np.sqrt(0.25 / among.sum()) + 0.01


def test_bounds_of_a_payoff_hold_whatever_its_unit_is() -> None:
    """After two trials that are close together, of functions between 0.001 and 1,000 in size."""
    rng = np.random.default_rng(1)
    held = {True: [], False: []}  # type: ignore[var-annotated]
    for _ in range(120):
        x = rng.uniform(size=(10, 2))
        x[1] = np.clip(x[0] + 0.08 * rng.standard_normal(2), 0.0, 1.0)
        gaps = np.sqrt(10.0 * ((x[:, None] - x[None]) ** 2).sum(axis=2))
        kernel = (1 + gaps + gaps**2 / 3) * np.exp(-gaps)
        shape = np.linalg.cholesky(kernel + 1e-9 * np.eye(10)) @ rng.standard_normal(10)
        truth = np.exp(2.0 * rng.standard_normal()) * (3.0 * rng.standard_normal() + shape)
        evidence = gather(x[:2], truth[:2, None], np.ones((2, 1), dtype=bool))
        (at,) = evidence.at(x[2:])
        value = (truth[2:] - evidence.offset[0]) / evidence.scale[0]
        for unknown in held:
            low, high = (at.quantile(share, unit_unknown=unknown) for share in (0.001, 0.999))
            held[unknown].append(bool(((low <= value) & (value <= high)).all()))
            share = at.share_below(low, unit_unknown=unknown)
            np.testing.assert_allclose(share, 0.001, rtol=1e-3)
    assert np.mean(held[True]) >= 0.9
    assert np.mean(held[True]) >= np.mean(held[False]) + 0.05


def _certificate(
    seed: int, told: int, edge: float, unasked: float = 1.0
) -> tuple[Certificate, np.ndarray]:
    """A margin of which `told` answers are known, the first of them as close to 0 as `edge`."""
    rng = np.random.default_rng(seed)
    x = rng.uniform(size=(10, 2))
    gaps = np.sqrt(10.0 * ((x[:, None] - x[None]) ** 2).sum(axis=2))
    kernel = (1 + gaps + gaps**2 / 3) * np.exp(-gaps)
    truth = np.linalg.cholesky(kernel + 1e-9 * np.eye(10)) @ rng.standard_normal(10)
    truth += edge - truth[0]
    outcomes = np.stack([np.zeros(10), truth], axis=1)
    evidence = gather(x[:told], outcomes[:told], np.ones((told, 2), dtype=bool))
    asked = (np.arange(10) < told)[None]
    return Certificate(
        evidence, evidence.at(x), 0.98, np.zeros(10, dtype=bool), asked, unasked
    ), outcomes.T


def test_bounds_of_a_margin_hold_where_its_first_answer_is_close_to_0() -> None:
    """One answer of 0.03 about a function that varies by 1 says little about its size."""
    made = [_certificate(seed, 1, 0.03) for seed in range(100)]
    held = [bool(found.bounded(truth, 0.002)[1]) for found, truth in made]
    assert np.mean(held) >= 0.9


def test_bounds_agree_with_the_chances() -> None:
    """What is certified to hold has no bound that says otherwise, nor has what surely fails."""
    for seed in range(20):
        found, truth = _certificate(seed, 5, 0.4)
        lower, upper, chances = found.lower[1], found.upper[1], found.chances[0]
        assert (lower[chances >= 0.98] >= 0.0).all()
        assert (upper[chances <= 0.02] <= 0.0).all()
        assert (lower < upper).all()
        within = (lower <= truth[1]) & (truth[1] <= upper)
        assert bool(found.bounded(truth, 0.04)[1]) == within.all()


def test_what_nobody_asked_about_takes_more_to_certify() -> None:
    """Chances stay as they are; the chance to fail counts threefold where nobody asked."""
    fewer = 0
    for seed in range(20):
        (plain, _), (strict, _) = (_certificate(seed, 5, 0.4, unasked) for unasked in (1.0, 3.0))
        np.testing.assert_array_equal(plain.chances, strict.chances)
        asked, chance = strict.asked[0], strict.chances[0]
        np.testing.assert_array_equal(plain.certified[asked], strict.certified[asked])
        enough = 1.0 - 3.0 * (1.0 - chance[~asked]) >= 0.98
        np.testing.assert_array_equal(strict.certified[~asked], enough)
        fewer += int(plain.certified.sum() - strict.certified.sum())
    assert fewer > 0


@pytest.mark.slow
def test_what_is_certain_with_much_noise_holds() -> None:
    """Of what holds with 98% or more, at most 2% fails; without `centred`, more than twice that."""
    certain, failed = np.zeros(2), np.zeros(2)
    for seed in range(3000, 3060):
        world, rng = driving(seed, noise=0.4), np.random.default_rng(seed)
        arms = rng.choice(10, rng.integers(3, 7), replace=False)
        arms = arms.repeat(rng.integers(1, 5, len(arms)))
        seen = world.payoffs[:, arms].T + 0.4 * rng.standard_normal((len(arms), 9))
        told = world.space.points[arms], seen, np.ones_like(seen, dtype=bool)
        for i, centred in enumerate((True, False)):
            found = gather(*told, constraints=world.records(), centred=centred)
            for at, margins in zip(
                found.at(world.space.points)[1:], world.payoffs[1:], strict=True
            ):
                sure = at.chance() >= 0.98
                certain[i] += sure.sum()
                failed[i] += (margins[sure] < 0.0).sum()
    shares = failed / certain
    assert certain.min() > 1000
    assert shares[0] <= 0.02
    assert shares[0] < 0.5 * shares[1]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Driving", *INVENTED])
def test_all_bounds_hold_together_and_no_unsafe_point_is_used(name: str) -> None:
    """Of twelve runs at nominally nine in ten, nine or more cover in 97% of the cases."""
    world = {"Driving": driving, **INVENTED}[name]
    runs = [play(Played(DMCL()), world(1300 + i), 30, i) for i in range(12)]
    covered = [bool(run["covered"].all()) for run in runs]
    rows = pd.concat(runs)
    optimising = rows[~rows["exploring"] & (rows["round"] > 1)]
    assert np.sum(covered) >= 9
    assert optimising["unsafe"].mean() <= 0.02
    assert np.mean([run["found"].iloc[-1] for run in runs]) >= 0.75
