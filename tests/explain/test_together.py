"""Interactions: what two parameters add to each other, beyond what each does by itself."""

import math
from itertools import combinations, product

import jax.numpy as jnp
import numpy as np
import pytest

import counsel as cs
from counsel import plots
from counsel.acquisition.upper_confidence import Bound
from counsel.explain import exact
from counsel.explain.attribution import Attribution
from counsel.explain.background import Background
from counsel.explain.methods import attribute
from counsel.explain.path import COLUMNS, turn
from counsel.models.kernels import MaternProduct, SquaredExponential
from explain.oracle import Dense, Plain


def by_definition(worth: np.ndarray, p: int) -> np.ndarray:
    """Half of Grabisch and Roubens' index, coalition by coalition."""

    def v(members: tuple[int, ...]) -> float:
        return float(worth[sum(2**i for i in members)])

    found = np.zeros((p, p))
    for i, j in combinations(range(p), 2):
        rest = [k for k in range(p) if k not in (i, j)]
        for size in range(p - 1):
            share = math.factorial(size) * math.factorial(p - size - 2) / math.factorial(p - 1)
            for S in combinations(rest, size):
                both = v((*S, i, j)) - v((*S, i)) - v((*S, j)) + v(S)
                found[i, j] += 0.5 * share * both
    return found + found.T


@pytest.mark.parametrize("p", [2, 3, 5])
def test_halves_of_the_interaction_index(p: int) -> None:
    worth = np.random.default_rng(p).standard_normal((2**p, 2))
    found = exact.interactions(worth)
    for term in range(2):
        np.testing.assert_allclose(found[term], by_definition(worth[:, term], p), atol=1e-12)
    alone = (exact.coalitions(p) * np.arange(1.0, p + 1)).sum(axis=1)  # nobody needs anybody
    np.testing.assert_allclose(exact.interactions(alone[:, None]), 0.0, atol=1e-12)
    assert exact.interactions(np.ones((2, 1))).shape == (1, 1, 1)


@pytest.mark.parametrize("kind", [SquaredExponential, MaternProduct])
def test_the_closed_form_of_the_mean_has_its_own(kind: type) -> None:
    """Against all levels of all parameters, the closed form and enumeration are one."""
    names = ("a", "b", "c")
    space = cs.Space(**{name: cs.Int(0, 2) for name in names})
    rng = np.random.default_rng(2)
    x = space.encode_many([space.decode(row) for row in rng.uniform(size=(8, 3))])
    plain = Plain(kind(np.array([0.4, 0.7, 1.0])), 0.01, x, rng.standard_normal(8))
    score = _OnHost(Bound(Dense.of(plain, 0.01, None), jnp.asarray(1.0)))
    point = {"a": 2, "b": 0, "c": 1}
    levels = product(range(3), repeat=3)
    every = space.encode_many([dict(zip(names, each, strict=True)) for each in levels])
    given = attribute(score, space, point, background=Background(every, "all"))
    whole = attribute(score, space, point, background=Background(every, "all", True, whole=True))
    assert whole.methods[0] == "closed form"
    assert given.interactions is not None
    assert whole.interactions is not None
    np.testing.assert_allclose(whole.interactions[0], given.interactions[0], atol=1e-10)
    for why in (given, whole):
        assert why.interactions is not None
        np.testing.assert_allclose(why.interactions.sum(axis=2), why.values, atol=1e-12)
        np.testing.assert_allclose(why.interactions, np.swapaxes(why.interactions, 1, 2))


class _OnHost:
    on_host, whole = True, False

    def __init__(self, score: Bound) -> None:
        self.posterior, self._score = score.posterior, score

    def terms(self, x: np.ndarray) -> dict[str, np.ndarray]:
        return {n: np.asarray(t) for n, t in self._score.terms(jnp.asarray(x)).items()}

    parts = terms

    def log_weights(self, parts: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        return {name: np.zeros_like(part) for name, part in parts.items()}


def why_of(matrix: list[list[float]], **more: object) -> Attribution:
    pairs = np.array([matrix])
    values = pairs.sum(axis=2)
    fields: dict[str, object] = {
        "terms": ("exploitation",),
        "parameters": ("a", "b"),
        "values": values,
        "base": np.zeros(1),
        "total": values.sum(axis=1),
        "error": np.zeros_like(values),
        "methods": ("enumerated",),
        "background": "",
        "evaluations": 0,
        "point": {"a": 1.0, "b": 2.0},
        "context": {},
        "interactions": pairs,
    }
    return Attribution(**{**fields, **more})  # type: ignore[arg-type]


def test_pairs_are_told_where_they_matter_and_left_out_where_not() -> None:
    assert why_of([[1.0, 0.3], [0.3, 0.5]]).together == (
        "Together, a 1 and b 2 add 0.6 to the expected payoff, beyond what each does by itself."
    )
    assert why_of([[1.0, 0.01], [0.01, 0.5]]).pairs == ()
    assert why_of([[1.0, 0.3], [0.3, 0.5]], error=np.full((1, 2), 0.2)).together == ""
    assert why_of([[1.0, 0.3], [0.3, 0.5]], interactions=None).together == ""
    cost = why_of([[-1.0, 0.3], [0.3, -0.5]], direction="minimize", objective="cost")
    assert cost.together.startswith("Together, a 1 and b 2 add 0.6 to the expected cost")
    # Of a minimised cost, what is maximised is minus the cost plus the uncertainty.
    sd = why_of([[-1.0, 0.3], [0.3, -0.5]], direction="minimize", terms=("approximation",))
    assert sd.together.startswith("Together, a 1 and b 2 take from the uncertainty")
    noise = why_of([[-1.0, 0.3], [0.3, -0.5]], terms=("aleatoric",))
    assert noise.together.startswith("Together, a 1 and b 2 take from the noise")
    chance = why_of(
        [[0.3, 0.1], [0.1, 0.2]],
        terms=("feasibility:calm",),
        base=np.array([0.1]),
        total=np.array([0.8]),
        log_weights=np.ones(1),
    )
    assert "add 20 points to the chance that calm is as required" in chance.together


def test_a_figure_has_what_the_matrix_has() -> None:
    why = why_of([[1.0, 0.3], [0.3, 0.5]])
    (squares,) = plots.interactions(why).data
    np.testing.assert_allclose(squares.z, [[1.0, 0.3], [0.3, 0.5]])
    np.testing.assert_allclose(plots.interactions(why, "exploitation").data[0].z, squares.z)
    assert not plots.interactions(why_of([[1.0, 0.3], [0.3, 0.5]], interactions=None)).data
    with pytest.raises(cs.InvalidInput, match="term"):
        plots.interactions(why, "luck")


def path_of(exploring: list[float], exploiting: list[float]) -> object:
    import pandas as pd

    rows = []
    for i, both in enumerate(zip(exploring, exploiting, strict=True), start=4):
        for tag, worth in zip(("approximation", "exploitation"), both, strict=True):
            rows.append((i, f"p{i}", tag, "a", worth, 0.0, worth))
    return pd.DataFrame(rows, columns=list(COLUMNS))


def test_paths_mark_the_turn_from_exploring_to_exploiting() -> None:
    assert turn(path_of([3, 3, 2, 1, 0, 0], [0, 1, 1, 2, 3, 3])) == 7  # type: ignore[arg-type]
    assert turn(path_of([3, 0, 2, 1, 0, 0, 0, 0], [0, 1, 1, 2, 3, 3, 3, 3])) == 7  # type: ignore[arg-type]
    # One round that looks around again is no turn.
    assert turn(path_of([0, 0, 0, 0, 3, 0, 0, 0], [1, 1, 1, 1, 1, 2, 2, 2])) is None  # type: ignore[arg-type]
    assert turn(path_of([3, 3, 3], [0, 0, 0])) is None  # type: ignore[arg-type]
    assert turn(path_of([0, 0, 0], [1, 1, 1])) is None  # type: ignore[arg-type]
    assert turn(path_of([3, 0, 3, 0, 3, 0], [0, 3, 0, 3, 0, 3])) is None  # type: ignore[arg-type]
    one = path_of([3, 3, 2, 1, 0, 0], [0, 1, 1, 2, 3, 3])
    assert turn(one[one["term"] == "exploitation"]) is None  # type: ignore[index]
