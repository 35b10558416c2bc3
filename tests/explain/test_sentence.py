"""Sentences say what the numbers say."""

from typing import Any

import numpy as np

from counsel.explain.attribution import Attribution

ABC = {"a": 1, "b": "u", "c": 2.5}


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
        "log_weights": np.zeros(len(values)),
        "methods": ("enumerated",) * len(values),
        "background": "",
        "evaluations": 0,
        "point": {"lifting": 20.0, "lowering": 12.0},
        "context": {},
        "proposal": "p7",
    }
    return Attribution(**{**defaults, **more}).sentence()


def test_the_leading_parameter_and_what_else_speaks_for_it() -> None:
    assert told([[0.1, 3.0], [1.0, 0.1]]) == (
        "Proposed mainly because lowering 12 raises the expected payoff; lifting 20 makes the "
        "outcome less certain."
    )


def test_a_minimised_objective_has_its_own_name_and_sign() -> None:
    text = told([[0.1, -3.0], [0.1, -0.1]], direction="minimize", objective="jerk")
    assert text == "Proposed mainly because lowering 12 lowers the expected jerk."
    worse = told([[0.0, 3.0], [0.0, 0.0]], direction="minimize", objective="jerk")
    assert worse.endswith("because lowering 12 raises the expected jerk.")


def test_of_a_cost_a_contrast_says_whether_higher_is_worse() -> None:
    cost: dict[str, Any] = {"direction": "minimize", "objective": "cost"}
    other = {"instead_of": {"lifting": 20.0, "lowering": 8.0}, "terms": ("exploitation",)}
    ours, theirs = told([[0.0, -3.0]], **other, **cost), told([[0.0, 3.0]], **other, **cost)
    assert ours.startswith("The alternative's expected cost is 3 higher (worse), mainly because")
    assert theirs.startswith("The alternative's expected cost is 3 lower (better), mainly because")


def test_mainly_needs_half_of_what_speaks_for_it() -> None:
    assert told([[2.0, 1.9], [1.8, 0.0]]).startswith("Proposed in part because lifting 20")


def test_values_are_written_with_their_units_and_not_named_twice() -> None:
    text = told([[0.0, 3.0]], terms=("exploitation",), units={"lowering": "N"})
    assert text == "Proposed mainly because lowering 12 N raises the expected payoff."
    other = {"instead_of": {"lifting": 20.0, "lowering": 8.0}, "units": {"lowering": "N"}}
    assert "because of lowering 8 N." in told([[0.0, 3.0]], terms=("exploitation",), **other)
    named = {"parameters": ("tile", "t"), "point": {"tile": "tile 40", "t": "thf"}}
    assert "because tile 40 raises" in told([[3.0, 0.0]], terms=("exploitation",), **named)
    assert "because t thf raises" in told([[0.0, 3.0]], terms=("exploitation",), **named)


def test_those_that_do_the_same_are_named_together() -> None:
    text = told([[2.0, 1.9, 1.9]], terms=("exploitation",), parameters=("a", "b", "c"), point=ABC)
    assert text == ("Proposed in part because a 1 raises the expected payoff, as do b u and c 2.5.")


def test_what_speaks_against_is_told() -> None:
    text = told([[3.0, -2.0], [0.0, 0.0]])
    assert text.endswith("; against it, lowering 12 lowers the expected payoff.")
    noisy = told([[3.0, 0.0], [0.0, -2.0]], terms=("exploitation", "aleatoric"))
    assert noisy.endswith("; against it, lowering 12 raises the noise.")


def test_no_claim_beyond_the_error() -> None:
    text = told([[1.0, 0.9], [0.0, 0.0]], error=np.array([[0.1, 2.0], [0.0, 0.0]]))
    assert "lowering" not in text
    nothing = told([[1.0, 0.9], [0.0, 0.0]], error=np.full((2, 2), 5.0))
    assert nothing == "Nothing about this point stands out from an average one."


def test_a_point_worse_than_average_is_not_praised() -> None:
    text = told([[-1.0, -2.0], [0.0, 0.0]], proposal=None)
    assert text.startswith("Rated below an average point, mainly because lowering 12 lowers")
    mixed = told([[1.5, -4.0], [0.0, 0.0]])
    assert mixed == (
        "Though proposed, it is rated below an average point, mainly because lowering 12 lowers "
        "the expected payoff; for it, lifting 20 raises the expected payoff."
    )


def test_other_terms_and_points_nobody_proposed() -> None:
    text = told([[2.0, 0.1]], terms=("improvement",), proposal=None)
    assert text == (
        "Rated above an average point, mainly because lifting 20 raises the improvement to expect."
    )
    assert "raises the term 'own'" in told([[2.0, 0.1]], terms=("own",))
    assert "chance that {s} is as required" not in told([[2.0, 0.1]], terms=("feasibility:{s}",))


def test_terms_on_other_scales_are_compared_by_what_they_are_worth() -> None:
    """A chance from 1/10 to 9/10 is worth weight x log 9, however large the objective's numbers."""
    base, total = np.array([5.0, 0.1]), np.array([6.0, 0.9])
    values = [[1.0, 0.0], [0.0, 0.8]]
    terms = ("exploitation", "feasibility:comfort")
    weights = np.array([0.0, 1.0])
    text = told(values, terms=terms, base=base, total=total, log_weights=weights)
    assert text == (
        "Proposed mainly because lowering 12 raises the chance that comfort is as required; "
        "lifting 20 "
        "raises the expected payoff."
    )
    small = told(values, terms=terms, base=base, total=total, log_weights=0.1 * weights)
    assert small == "Proposed mainly because lifting 20 raises the expected payoff."


def test_contributions_that_cancel_out_are_not_blown_up() -> None:
    """Two hopeless points: what lies between them is larger than both by orders of magnitude."""
    values = np.array([[0.006, -0.006], [0.2, 0.1]])
    why = Attribution(
        terms=("improvement", "feasibility:calm"),
        parameters=("lifting", "lowering"),
        values=values,
        base=np.array([1e-220, 0.1]),
        total=np.array([1e-210, 0.4]),
        error=np.zeros((2, 2)),
        methods=("enumerated",) * 2,
        background="the alternative",
        evaluations=0,
        point={"lifting": 20.0, "lowering": 12.0},
        context={},
        proposal="p7",
        instead_of={"lifting": 1.0, "lowering": 2.0},
        log_weights=np.ones(2),
    )
    assert np.abs(why.worth).max() < 2.0
    np.testing.assert_allclose(why.gains, [np.log(1e10), np.log(4.0)])
    np.testing.assert_allclose(why.worth[1].sum(), np.log(4.0))  # as it is where nothing cancels
