"""Gains that are not worth a failure, against NumPy and on studies that are played."""

from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
from scipy.stats import norm

import counsel as cs
from explain.claims import check_efficiency

GRID = np.linspace(0.0, 1.0, 101)


def payoff(a: float) -> float:
    return -10.0 * (a - 0.45) ** 2 + 0.3 * np.sin(12.0 * a)


def play(study: cs.Study, trials: int) -> None:
    """Beyond 0.8 everything fails."""
    for _ in range(trials):
        proposal = study.ask()
        a = float(proposal.values["a"])
        if a > 0.8:
            study.fail(proposal)
        else:
            study.tell(proposal, payoff(a))


def of_arms(**settings: Any) -> cs.Study:
    arms = cs.Arms(GRID[:, None], names=["a"])
    return cs.create_study(arms, policy="ei", incumbent="mean", seed=3, **settings)


def gains_and_chances(study: cs.Study) -> tuple[np.ndarray, np.ndarray]:
    """Of every arm, from what the study predicts and from the trials' outcomes."""
    believed = [study.predict({"a": float(a)}) for a in GRID]
    mean, sd = (np.array([getattr(b, name) for b in believed]) for name in ("mean", "sd"))
    best = max(study.predict(each.values).mean for each in study.observations)  # type: ignore[union-attr]
    z = (mean - best) / sd
    proposal = study.ask()
    score: Any = study.explaining.score_of(proposal)
    chances = np.asarray(score.parts(jnp.asarray(GRID[:, None]))["feasibility:0"])
    return sd * (norm.pdf(z) + z * norm.cdf(z)), chances


def test_the_least_gain_is_a_share_of_the_most_that_a_trial_can_bring() -> None:
    study = of_arms(least_share=0.1)
    play(study, 15)
    assert study.failures
    proposal = study.ask()
    gains, chances = gains_and_chances(study)
    least = 0.1 * np.max(gains * chances)
    row = int(np.abs(GRID - float(proposal.values["a"])).argmin())
    assert proposal.terms["improvement"] == pytest.approx(np.log(gains[row] + least), abs=1e-6)
    value = np.log(gains + least) + 8.0 * np.log(chances)
    assert value[row] == pytest.approx(value.max(), abs=1e-6)


@pytest.mark.parametrize(("times", "level"), [((0.0, 1.0), 0.8), ((0.0, 0.2, 1.0), 1.0)])
def test_after_a_failure_trials_that_can_gain_are_still_preferred(
    times: tuple[float, ...], level: float
) -> None:
    """Everything is known of A, little of B, and C fails: the safest is to measure A again."""
    grid = np.linspace(0.0, 1.0, 21)
    rows = [{"solvent": each, "t": float(t)} for each in "ABC" for t in grid]

    def proposed(**settings: Any) -> object:
        study = cs.create_study(cs.Arms(rows), seed=3, **settings)
        for t in grid:
            study.tell({"solvent": "A", "t": float(t)}, 1.0 - (t - 0.5) ** 2)
        for t in times:
            study.tell({"solvent": "B", "t": t}, level - (t - 0.6) ** 2)
        for t in (0.0, 0.5):
            study.fail({"solvent": "C", "t": t})
        return study.ask().values["solvent"]

    assert proposed() == "B"
    # As studies had it that began earlier: they go on as they were.
    assert proposed(least_share=None, least_gain=0.1, feasibility=3.0) == "A"


MIXED = cs.Space(a=cs.Float(0, 1), b=cs.Float(0, 1), c=cs.Categorical(["u", "v"]))
KEPT = [cs.Constraint("calm", at_least=0.2)]


@pytest.mark.parametrize(
    ("policy", "constraints", "direction"),
    [
        (None, [], "minimize"),
        (None, KEPT, "maximize"),
        ("lw-ei", [], "minimize"),
    ],
)
def test_explanations_add_up_to_what_is_maximised_after_failures(
    policy: str | None, constraints: list[cs.Constraint], direction: Any
) -> None:
    """To the last term, and each parameter is told what it is worth beside the least gain."""
    study = cs.create_study(
        MIXED, policy=policy, constraints=constraints, direction=direction, seed=1
    )
    for _ in range(18):
        proposal = study.ask()
        a, b, c = (proposal.values[name] for name in "abc")
        if float(a) + float(b) > 1.3:  # type: ignore[arg-type]
            study.fail(proposal)
        else:
            value = float(a) - (float(b) - 0.3) ** 2 + 0.2 * (c == "u")  # type: ignore[arg-type]
            answers = {each.name: float(b) for each in constraints}  # type: ignore[arg-type]
            study.tell(proposal, value, constraints=answers or None)
    assert study.failures
    check_sum(study)


def check_sum(study: cs.Study) -> None:
    proposal = study.ask()
    why = study.explain(proposal)
    score: Any = study.explaining.score_of(proposal)
    numbers = {"success": "0", "calm": "1"}
    check_efficiency(why)
    ends = {}
    for tag, base, values in zip(why.terms, why.base, why.values, strict=True):
        kind, _, name = tag.partition(":")
        ends[f"{kind}:{numbers[name]}" if name else kind] = jnp.asarray([base, base + values.sum()])
    average, here = score.joined(ends).tolist()
    assert here == pytest.approx(sum(proposal.terms.values()), rel=1e-9)
    assert why.gains.sum() == pytest.approx(here - average, rel=1e-9)
    least = float(np.asarray(score.raised["improvement"]))
    assert least > 0.0
