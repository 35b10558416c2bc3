"""Sentences say what the numbers say."""

from typing import Any

import numpy as np

from counsel.explain.attribution import Attribution


def told(
    values: Any, *, terms: tuple[str, ...] = ("exploitation", "approximation"), **more: Any
) -> str:
    values = np.array(values, dtype=float)
    defaults: dict[str, Any] = {
        "terms": terms,
        "parameters": ("lifting", "lowering")[: values.shape[1]],
        "values": values,
        "base": np.zeros(len(values)),
        "total": values.sum(axis=1),
        "error": np.zeros_like(values),
        "methods": ("enumerated",) * len(values),
        "background": "",
        "evaluations": 0,
        "point": {"lifting": 20.0, "lowering": 12.0},
        "context": {},
        "proposal": "p7",
    }
    return Attribution(**{**defaults, **more}).sentence()


def test_the_leading_parameter_and_who_adds() -> None:
    assert told([[0.1, 3.0], [1.0, 0.1]]) == (
        "Tried mainly because lowering=12 promises a high payoff; lifting adds exploration."
    )


def test_a_minimised_objective_has_its_own_name_and_sign() -> None:
    text = told([[0.1, 3.0], [0.1, 0.1]], direction="minimize", objective="jerk")
    assert text == "Tried mainly because lowering=12 promises a low jerk."


def test_mainly_needs_half_of_what_speaks_for_it() -> None:
    assert told([[2.0, 1.9], [1.8, 0.0]]).startswith("Tried in part because lifting=20")


def test_what_speaks_against_is_told() -> None:
    assert told([[3.0, -2.0], [0.0, 0.0]]).endswith("; against it, lowering=12 costs promise.")
    noisy = told([[3.0, 0.0], [0.0, -2.0]], terms=("exploitation", "aleatoric"))
    assert noisy.endswith("; against it, lowering=12 adds noise.")


def test_no_claim_beyond_the_error() -> None:
    text = told([[1.0, 0.9], [0.0, 0.0]], error=np.array([[0.1, 2.0], [0.0, 0.0]]))
    assert "lowering" not in text
    nothing = told([[1.0, 0.9], [0.0, 0.0]], error=np.full((2, 2), 5.0))
    assert "nothing stands out" in nothing


def test_a_point_worse_than_average_is_not_praised() -> None:
    assert told([[-1.0, -2.0], [0.0, 0.0]]).startswith("Nothing speaks for this point")
    assert "no better than an average point" in told([[1.0, -4.0], [0.0, 0.0]])


def test_other_terms_and_points_nobody_proposed() -> None:
    text = told([[2.0, 0.1]], terms=("improvement",), proposal=None)
    assert text == "It would be tried mainly because lifting=20 makes an improvement likely."
    assert "raises the term 'own'" in told([[2.0, 0.1]], terms=("own",))
