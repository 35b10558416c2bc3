"""The output weight of a study: what `lw-ucb` multiplies its exploration by."""

import numpy as np
import pytest

import counsel as cs
from counsel import plots
from counsel.errors import NothingToExplain

SPACE = cs.Space(x=cs.Float(0, 1), y=cs.Float(0, 1))
CORNERS = [{"x": x, "y": y} for x in (0.1, 0.5, 0.9) for y in (0.2, 0.6)]


def begun(policy: str) -> cs.Study:
    study = cs.create_study(SPACE, policy=policy, seed=1)
    for i, values in enumerate(CORNERS):
        study.tell(values, float(np.exp(-8 * (values["x"] - 0.5) ** 2) + 0.1 * i))
    return study


@pytest.fixture(scope="module")
def weighted() -> cs.Study:
    return begun("lw-ucb")


def test_the_weight_is_the_one_that_was_maximised(weighted: cs.Study) -> None:
    proposal = weighted.ask()
    weight = weighted.weight(proposal.values)
    assert weight is not None
    predicted = proposal.prediction
    assert predicted is not None
    assert proposal.terms["approximation"] == pytest.approx(2.0 * weight * predicted.sd, rel=1e-6)
    weighted.reject(proposal)


def test_it_averages_one_over_the_space(weighted: cs.Study) -> None:
    rng = np.random.default_rng(0)
    many = [{"x": float(x), "y": float(y)} for x, y in rng.uniform(size=(2000, 2))]
    found = weighted.weights(many)
    assert found is not None
    assert np.mean(found) == pytest.approx(1.0, abs=0.1)
    assert max(found) > 1.2 > 0.8 > min(found)


def test_nothing_measured_has_no_weight_and_other_policies_say_so() -> None:
    assert cs.create_study(SPACE, policy="lw-ucb").weight(CORNERS[0]) is None
    for policy in ("v-ucb", "random"):
        with pytest.raises(NothingToExplain, match="no output weight"):
            cs.create_study(SPACE, policy=policy).weight(CORNERS[0])


def test_a_figure_shows_it(weighted: cs.Study) -> None:
    figure = plots.output_weight(weighted)
    assert figure.data[0].z.shape == (51, 51)
    assert {trace.name for trace in figure.data} >= {"w", "best trial"}
    curve = plots.output_weight(weighted, ["x"])
    assert len(curve.data[0].y) == 201
    blank = plots.output_weight(cs.create_study(SPACE, policy="lw-ucb"))
    assert "Nothing has been measured" in blank.layout.annotations[0].text
