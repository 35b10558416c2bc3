"""What a block pulls: pairing, regrets, the authors' way of counting."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from counsel.experiments.pulls import FIRST, cumulative, final
from experiments.tiny import TINY

SEEDS = range(2)


@pytest.fixture(scope="module")
def rows() -> pd.DataFrame:
    parts = []
    for method in TINY.methods:
        part = TINY.run("Michalewicz", method.label, SEEDS)
        parts.append(part.assign(world="Michalewicz", method=method.label))
    return pd.concat(parts)


def test_methods_share_first_pulls_and_noise(rows: pd.DataFrame) -> None:
    world = TINY.worlds["Michalewicz"](0)
    shared = []
    for method in TINY.methods:
        mine = rows[rows["method"] == method.label]
        noise = mine["payoff"].to_numpy() - world.payoffs[mine["arm"]]
        first = mine.loc[mine["pull"] < FIRST, "arm"].to_numpy()
        shared.append((first, noise))
    np.testing.assert_array_equal(shared[0][0], shared[1][0])
    np.testing.assert_allclose(shared[0][1], shared[1][1], atol=1e-12)
    assert len(set(shared[0][0][:FIRST])) == FIRST


def test_regrets_are_those_of_the_arms(rows: pd.DataFrame) -> None:
    world = TINY.worlds["Michalewicz"](0)
    np.testing.assert_allclose(rows["regret"], world.optimum - world.payoffs[rows["arm"]])
    np.testing.assert_allclose(rows["noisy_regret"], np.abs(world.optimum - rows["payoff"]))
    assert len(rows) == 2 * len(SEEDS) * (FIRST + TINY.rounds - 1)


def test_round_one_is_the_best_of_the_first_pulls(rows: pd.DataFrame) -> None:
    label = TINY.methods[0].label
    curves = cumulative(rows, "Michalewicz", label)
    mine = rows[(rows["method"] == label) & (rows["seed"] == 1)]["regret"].to_numpy()
    assert curves.shape == (len(SEEDS), TINY.rounds)
    assert curves[1, 0] == mine[:FIRST].min()
    assert curves[1, -1] == pytest.approx(mine[:FIRST].min() + mine[FIRST:].sum())
    np.testing.assert_array_equal(final(rows, "Michalewicz", label), curves[:, -1])


def test_a_seed_does_the_same_in_every_block() -> None:
    shifted = TINY.run("Cosine", TINY.methods[1].label, range(1, 4))
    plain = TINY.run("Cosine", TINY.methods[1].label, range(2))
    pd.testing.assert_frame_equal(
        shifted[shifted["seed"] == 1].reset_index(drop=True),
        plain[plain["seed"] == 1].reset_index(drop=True),
    )


def test_every_seed_may_have_a_world_of_its_own() -> None:
    cosine, ridges = TINY.worlds["Cosine"], TINY.worlds["Michalewicz"]
    both = replace(TINY, worlds={"either": lambda seed: (cosine, ridges)[seed % 2](seed)})
    label = TINY.methods[1].label
    mixed = both.run("either", label, SEEDS)
    alone = TINY.run("Michalewicz", label, SEEDS)
    pd.testing.assert_frame_equal(
        mixed[mixed["seed"] == 1].reset_index(drop=True),
        alone[alone["seed"] == 1].reset_index(drop=True),
    )
