"""When to stop, how a study is shown, and how it travels."""

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import counsel as cs

SPACE = cs.Space(x=cs.Float(0, 1))


def told(trials: int, payoff: Any, **options: Any) -> cs.Study:
    study = cs.create_study(SPACE, policy="v-ucb", seed=1, **options)
    for x in np.linspace(0, 1, trials):
        study.tell({"x": float(x)}, payoff(float(x)))
    return study


def smooth(x: float) -> float:
    return -((x - 0.37) ** 2)


def test_less_is_left_to_gain_the_more_is_known() -> None:
    few, many = (told(n, smooth).outlook(worth=0.01) for n in (3, 12))
    assert many.gain < few.gain
    assert many.gain < 0.01
    assert many.chance <= few.chance
    assert many.explained > 0.9
    assert many.warning == ""
    assert "still to be gained" in many.sentence()


def test_the_default_does_not_promise_more_than_its_own_scale_allows() -> None:
    """On the scale of gaps, the far and unknown is believed to be bad, in spite of a wide sd."""
    study = cs.create_study(SPACE, direction="minimize", seed=1)
    for x in (0.0, 0.2, 0.3, 0.36, 0.37, 0.38, 0.45):
        study.tell({"x": x}, 100.0 * (x - 0.37) ** 2)
    found = study.outlook(worth=0.5)
    assert found.gain < 0.5
    assert found.chance < 0.1


def test_with_constraints_only_what_may_keep_them_is_to_be_gained() -> None:
    """The payoff is best where the constraint breaks, which is nobody's gain."""
    study = cs.create_study(SPACE, constraints=[cs.Constraint("calm", at_least=0.0)], policy="ei")
    for x in np.linspace(0, 1, 9):
        study.tell({"x": float(x)}, 10.0 * x, constraints={"calm": float(0.55 - x)})
    assert study.outlook(worth=1.0).gain < 1.5  # up to 0.55 from 0.5, and not up to 1
    assert study.outlook(worth=1.0).gain > 0.05


def test_a_model_that_does_not_predict_is_warned_of() -> None:
    """Neighbours that say the opposite: nothing can be predicted from them."""
    contrary = told(14, lambda x: float((-1) ** round(13 * x))).outlook()
    assert contrary.explained < 0.0
    assert "do not trust" in contrary.warning
    assert told(3, smooth).outlook().warning.startswith("3 trials are too few")


def test_leaving_one_out_is_what_a_study_without_it_predicts() -> None:
    """At the same hyper-parameters: the closed form against taking the trial away."""
    study = told(8, smooth)
    policy: Any = study.policy
    history = study._ledger.state.history(t=1, seed=1, context=np.zeros(0))
    y, mean, sd = policy.left_out(study.problem, history)
    belief = policy.believe(study.problem.space, history).posterior
    from counsel.models import gp

    kept = np.arange(8) != 3
    without = gp.posterior(
        belief.kernel,
        belief.noise,
        gp.Data.padded(history.x[kept], history.y[kept]),
        units=(belief.offset, belief.scale),
        fixed_trend=float(belief.trend),
    )
    here, spread = (np.asarray(each) for each in without.predict(history.x[[3]]))
    assert mean[3] == pytest.approx(here[0], abs=1e-6)
    noise = float(belief.noise) * float(belief.scale) ** 2
    assert sd[3] == pytest.approx(np.sqrt(spread[0] ** 2 + noise), rel=1e-3)
    assert np.array_equal(y, history.y)


def test_an_outlook_in_the_direction_that_is_wanted() -> None:
    study = cs.create_study(SPACE, direction="minimize", policy="v-ucb", seed=1)
    for x in np.linspace(0, 1, 9):
        study.tell({"x": float(x)}, (float(x) - 0.37) ** 2)
    assert 0.0 <= study.outlook().gain < 0.05


def test_there_is_no_outlook_without_beliefs() -> None:
    with pytest.raises(cs.NothingToExplain, match="two measurements"):
        cs.create_study(SPACE).outlook()
    study = cs.create_study(SPACE, policy="random")
    study.tell({"x": 0.1}, 1.0)
    study.tell({"x": 0.2}, 1.0)
    with pytest.raises(cs.NothingToExplain, match="v-ucb"):
        study.outlook()


def test_a_study_shows_itself() -> None:
    study = told(2, smooth, name="<oven>")
    study.ask()
    assert repr(study) == (
        "<Study '<oven>': maximize objective over x by v-ucb; 2 observations, 1 pending>"
    )


@pytest.mark.parametrize("storage", [None, "sqlite"])
def test_a_study_travels(storage: str | None, tmp_path: Path) -> None:
    address = None if storage is None else f"sqlite:///{tmp_path / 'study.db'}"
    study = told(4, smooth, storage=address)
    study.ask()
    again = pickle.loads(pickle.dumps(study))
    assert again.facts == study.facts
    assert again.ask().values == study.ask().values if storage is None else True
    assert again.replay().identical
