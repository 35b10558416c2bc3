"""A guess of where the optimum is: tried first, a term of its own, and weaker with every trial."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import counsel as cs
from counsel.acquisition.guess import Guess
from counsel.exchange import study_from_yaml

SPACE = cs.Space(heat=cs.Float(0, 100), kind=cs.Categorical(["a", "b", "c"]))
GUESS = {"heat": 80.0, "kind": "b"}


def payoff(values: Any) -> float:
    return float(-((values["heat"] - 70.0) ** 2) / 100.0 + (values["kind"] == "b"))


def play(study: Any, trials: int) -> Any:
    for _ in range(trials):
        proposal = study.ask()
        study.tell(proposal, payoff(proposal.values))
    return study


@pytest.fixture(scope="module")
def guided(tmp_path_factory: pytest.TempPathFactory) -> Any:
    address = f"sqlite:///{tmp_path_factory.mktemp('guess') / 'g.db'}"
    study = cs.create_study(SPACE, policy="v-ucb", guess=GUESS, initial=3, storage=address)
    return play(study, 5)


def test_the_first_trial_is_made_at_the_guess(guided: Any) -> None:
    assert guided.proposal("p1").values == GUESS
    assert guided.proposal("p2").values != GUESS


def test_what_the_guess_leaves_open_is_drawn() -> None:
    with_guess = cs.create_study(SPACE, policy="v-ucb", guess={"heat": 80.0}).ask()
    without = cs.create_study(SPACE, policy="v-ucb").ask()
    assert with_guess.values == {"heat": 80.0, "kind": without.values["kind"]}


def test_it_is_a_term_that_fades(guided: Any) -> None:
    """Over n measurements, strength / n times the log density, in units of the objective's sd."""
    for proposal, measured in ((guided.proposal("p4"), 3), (guided.proposal("p5"), 4)):
        point = SPACE.encode(proposal.values)
        apart = (point - SPACE.encode(GUESS)) ** 2 * [1.0, 0.5, 0.5, 0.5] / 0.2**2
        y = np.array([payoff(guided.proposal(f"p{i + 1}").values) for i in range(measured)])
        expected = -Guess(GUESS).strength / measured * y.std() * np.log1p(0.5 * apart.sum())
        assert proposal.terms["guess"] == pytest.approx(expected)


def test_it_is_explained_and_adds_up(guided: Any) -> None:
    proposal = guided.proposal("p5")
    why = guided.explain(proposal)
    assert "guess" in why.terms
    assert why.base.sum() + why.values.sum() == pytest.approx(sum(proposal.terms.values()))
    row = why.terms.index("guess")
    assert why.base[row] + why.values[row].sum() == pytest.approx(proposal.terms["guess"])


def test_it_is_stored_and_replays(guided: Any) -> None:
    again = cs.load_study("study", guided._ledger.storage)
    assert again.policy.guess == Guess(GUESS)  # type: ignore[attr-defined]
    assert again.replay().identical


def test_among_arms_the_nearest_one_is_tried_first() -> None:
    arms = cs.Arms([{"heat": float(h), "kind": k} for h in range(0, 101, 25) for k in "abc"])
    study = cs.create_study(arms, policy="ei", guess={"heat": 70.0, "kind": "c"})
    assert study.ask().values == {"heat": 75.0, "kind": "c"}


def test_a_guess_that_is_not_allowed_is_not_tried() -> None:
    space = cs.Space(a=cs.Float(0, 1), b=cs.Float(0, 1), require=["a + b <= 1"])
    study = cs.create_study(space, guess={"a": 0.9, "b": 0.9})
    values = study.ask().values
    assert values["a"] + values["b"] <= 1.0


def test_from_a_file(tmp_path: Path) -> None:
    described = tmp_path / "study.yaml"
    described.write_text(
        "name: g\nsettings:\n  guess: {at: {heat: 80}, width: 0.1, strength: 4}\n"
        "parameters:\n  heat: {type: float, low: 0, high: 100}\n"
    )
    study = study_from_yaml(described)
    assert study.policy.guess == Guess({"heat": 80}, 0.1, 4)  # type: ignore[attr-defined]


@pytest.mark.parametrize("policy", [None, "v-ucb"])
@pytest.mark.parametrize(
    ("guess", "message"),
    [
        ({"speed": 1.0}, "Give values of heat, kind"),
        ({"heat": 200.0}, "heat"),
        ({"kind": "z"}, "kind"),
        ({}, "by parameter"),
        ({"at": GUESS, "width": 0.0}, "above 0"),
        (3.0, "by parameter"),
    ],
)
def test_a_guess_about_something_else_is_refused(policy: Any, guess: Any, message: str) -> None:
    with pytest.raises(cs.InvalidInput, match=message):
        cs.create_study(SPACE, policy=policy, guess=guess)
