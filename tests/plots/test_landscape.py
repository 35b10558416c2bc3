"""The landscape: what is drawn is what the study predicts."""

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
import pytest

import counsel as cs
from counsel import plots
from counsel.facts.history import Array, History
from counsel.policies import Random
from counsel.policies.protocol import Choice


@dataclass(frozen=True)
class Certain:
    """Proposes at random and believes in a formula: a landscape to read off exactly."""

    name: str = "certain"

    def propose(self, problem: cs.Problem, history: History) -> Choice:
        return Random().propose(problem, history)

    def predict(
        self, problem: cs.Problem, history: History, points: Array
    ) -> list[cs.Prediction] | None:
        if len(history.y) == 0:
            return None
        weights = np.arange(1.0, points.shape[1] + 1)
        return [cs.Prediction(float(p @ weights), float(1 + p[0])) for p in points]


def told(space: cs.Space | cs.Arms, n: int = 4, **options: object) -> cs.Study:
    study = cs.create_study(space, **{"policy": Certain(), **options})  # type: ignore[arg-type]
    for i in range(n):
        study.tell(study.ask(), float(i))
    return study


def traces(figure: go.Figure, kind: type) -> list[go.Scatter]:
    return [t for t in figure.data if isinstance(t, kind)]


def test_the_maps_are_the_predictions() -> None:
    study = cs.create_study(cs.Space(a=cs.Float(0, 50), b=cs.Float(-1, 1)), seed=2)
    for i in range(5):
        study.tell(study.ask(), float(i % 3))
    pending = study.ask()
    figure = plots.landscape(study)
    mean, sd = traces(figure, go.Contour)
    assert (mean.name, sd.name) == ("mean", "sd")
    assert (mean.x[0], mean.x[-1], mean.y[0], mean.y[-1]) == (0, 50, -1, 1)
    for row, column in [(0, 0), (3, 17), (50, 50), (20, 44)]:
        belief = study.predict({"a": mean.x[column], "b": mean.y[row]})
        assert belief is not None
        assert mean.z[row][column] == pytest.approx(belief.mean, rel=1e-9, abs=1e-12)
        assert sd.z[row][column] == pytest.approx(belief.sd, rel=1e-6, abs=1e-9)
    following = [t for t in figure.data if t.name == "waiting"]
    assert [(t.x[0], t.y[0]) for t in following] == [tuple(pending.values.values())] * 2
    assert figure.layout.xaxis.title.text == "a"
    assert figure.layout.yaxis2.title.text == "b"
    assert [t.name for t in figure.data if t.showlegend] == [
        "accepted",
        "waiting",
        "best trial",
    ]


def test_minimising_shows_the_users_sign() -> None:
    study = told(cs.Space(a=cs.Float(0, 1), b=cs.Float(0, 1)), direction="minimize")
    mean = traces(plots.landscape(study), go.Contour)[0]
    assert mean.z[0][0] == 0
    assert mean.z[-1][-1] == -3


def test_other_parameters_are_held_at_the_best_trial() -> None:
    space = cs.Space(
        kind=cs.Categorical(["red", "blue"]),
        n=cs.Int(1, 5),
        rate=cs.Float(1e-4, 1, log=True),
        w=cs.Float(0, 1),
    )
    study = told(space)
    figure = plots.landscape(study, ["rate", "n"])
    mean = traces(figure, go.Contour)[0]
    assert list(mean.y) == [1, 2, 3, 4, 5]
    assert figure.layout.xaxis.type == "log"
    assert figure.layout.xaxis.range == pytest.approx((-4, 0))
    best = study.best
    assert best is not None
    belief = study.predict({**best.values, "rate": mean.x[7], "n": 2})
    assert belief is not None
    assert mean.z[1][7] == pytest.approx(belief.mean)
    note = figure.layout.title.subtitle.text
    assert f"kind = {best.values['kind']}" in note
    assert "rate =" not in note


def test_one_parameter_is_a_curve_with_its_band() -> None:
    study = told(cs.Space(x=cs.Float(0, 10)), direction="minimize")
    study.ask()
    figure = plots.landscape(study)
    low, high, mean = figure.data[:3]
    beliefs = study.predict_many([{"x": x} for x in mean.x])
    assert beliefs is not None
    assert list(mean.y) == pytest.approx([b.mean for b in beliefs])
    assert list(high.y) == pytest.approx([b.interval()[1] for b in beliefs])
    assert list(low.y) == pytest.approx([b.interval()[0] for b in beliefs])
    accepted = next(t for t in figure.data if t.name == "accepted")
    assert list(accepted.y) == [0, 1, 2, 3]
    assert "waiting" in [t.name for t in figure.data]


def test_arms_on_a_grid_are_a_map() -> None:
    grid = [{"u": u, "v": v} for u in (1, 2, 5) for v in (0.0, 0.5)]
    study = told(cs.Arms(grid))
    mean, sd = traces(plots.landscape(study), go.Heatmap)
    assert (list(mean.x), list(mean.y)) == ([1, 2, 5], [0.0, 0.5])
    for row, v in enumerate(mean.y):
        for column, u in enumerate(mean.x):
            belief = study.predict({"u": u, "v": v})
            assert belief is not None
            assert (mean.z[row][column], sd.z[row][column]) == (belief.mean, belief.sd)


def test_scattered_arms_are_dots_and_labels_are_left_out() -> None:
    rng = np.random.default_rng(0)
    rows = [
        {"label": f"arm {i}", "u": float(u), "v": float(v), "ok": bool(i % 2)}
        for i, (u, v) in enumerate(rng.uniform(size=(40, 2)))
    ]
    study = told(cs.Arms(rows))
    figure = plots.landscape(study)
    assert (figure.layout.xaxis.title.text, figure.layout.yaxis.title.text) == ("u", "v")
    dots = next(t for t in figure.data if t.name == "mean")
    assert len(dots.x) == 40
    colours = {(x, y): c for x, y, c in zip(dots.x, dots.y, dots.marker.color, strict=True)}
    beliefs = study.predict_many(rows)
    assert beliefs is not None
    assert [colours[row["u"], row["v"]] for row in rows] == [b.mean for b in beliefs]


def test_arms_with_one_number_have_error_bars() -> None:
    study = told(cs.Arms(np.arange(6.0)[:, None], names=["dose"]))
    dots = plots.landscape(study).data[0]
    assert list(dots.x) == [0, 1, 2, 3, 4, 5]
    assert dots.error_y.array[0] == pytest.approx(1.96)


def test_many_arms_are_thinned_and_the_figure_says_so() -> None:
    study = told(cs.Arms(np.random.default_rng(0).uniform(size=(25_000, 2))))
    figure = plots.landscape(study)
    assert len(figure.data[0].x) <= 10_000
    assert "25,000 arms" in figure.layout.title.subtitle.text


def test_context_is_the_last_one_unless_given() -> None:
    space = cs.Space(x=cs.Float(0, 1), context={"heat": cs.Float(0, 10)})
    study = cs.create_study(space, policy=Certain())
    study.tell(study.ask(context={"heat": 5}), 1.0)
    figure = plots.landscape(study)
    assert figure.data[2].y[0] == pytest.approx(2 * 0.5)
    assert "heat = 5" in figure.layout.title.subtitle.text
    assert plots.landscape(study, context={"heat": 10}).data[2].y[0] == pytest.approx(2.0)


def test_empty_states() -> None:
    box = cs.Space(a=cs.Float(0, 1), b=cs.Float(0, 1))
    nothing = plots.landscape(told(box, n=0))
    assert "No trials yet" in nothing.layout.annotations[0].text
    asked = told(box, n=0)
    asked.ask()
    for figure in (plots.landscape(asked), plots.landscape(asked, ["b"])):
        assert [t.name for t in figure.data] == ["waiting"]
        assert "Nothing has been measured yet" in figure.layout.title.subtitle.text
    without = plots.landscape(told(box, policy="random"))
    assert [t.name for t in without.data] == ["accepted"]
    assert "has no beliefs" in without.layout.title.subtitle.text


@pytest.mark.parametrize(
    ("parameters", "part"),
    [
        (["a", "nope"], "nope"),
        ("ab", "one or two names"),
        ([], "one or two names"),
        (["a", "b", "a"], "one or two names"),
        (["a", "a"], "two different"),
    ],
)
def test_parameters_that_cannot_be_drawn_are_refused(parameters: list[str], part: str) -> None:
    space = cs.Space(a=cs.Float(0, 1), b=cs.Float(0, 1), k=cs.Categorical(["x", "y"]))
    with pytest.raises(cs.InvalidInput, match=part):
        plots.landscape(told(space), parameters)


MIXTURE = cs.Space(
    a=cs.Float(0, 100), b=cs.Float(0, 60), c=cs.Float(0, 100), require=["a + b + c == 100"]
)
SOMETIMES = cs.Space(
    solvent=cs.Categorical(["water", "DMF"]),
    base=cs.Float(1, 5, when={"solvent": "DMF"}),
    t=cs.Float(20, 100),
)


def test_in_a_mixture_the_third_part_makes_up_for_the_two_that_are_drawn() -> None:
    study = told(MIXTURE, 6, policy="v-ucb", seed=0)
    figure = plots.landscape(study)
    mean = figure.data[0]
    grid = np.array(mean.z, dtype=float)
    across, up = np.meshgrid(np.array(mean.x), np.array(mean.y))
    assert (np.isnan(grid) == (across + up > 100.0 + 1e-9)).all()
    i, j = 10, 20
    a, b = float(across[i, j]), float(up[i, j])
    assert grid[i, j] == pytest.approx(study.predict({"a": a, "b": b, "c": 100 - a - b}).mean)  # type: ignore[union-attr]
    assert figure.layout.title.subtitle.text == "Making up for it: c"
    assert plots.landscape(study, ["a"]).data
    assert np.isnan(np.array(plots.slices(study, study.ask()).data[0].z, dtype=float)).any()


def test_what_does_not_exist_at_the_best_trial_is_no_axis() -> None:
    study = cs.create_study(SOMETIMES, policy="lw-ucb", seed=0)
    for t in (30, 60, 90):
        study.tell({"solvent": "water", "t": t}, 5.0 - abs(t - 60))
        study.tell({"solvent": "DMF", "base": 2.0, "t": t}, -abs(t - 60))
    assert study.best is not None
    assert "base" not in study.best.values
    for figure in (plots.landscape(study), plots.output_weight(study)):
        assert figure.layout.xaxis.title.text == "t"
        assert figure.layout.yaxis.title.text == "solvent"
        assert not np.isnan(np.array(figure.data[0].z, dtype=float)).any()
    with pytest.raises(cs.InvalidInput, match="Choose among t, solvent where solvent = water"):
        plots.landscape(study, ["base"])
    proposal = study.ask()
    study.override(proposal, {"solvent": "water", "t": 50})
    assert plots.slices(study, proposal).data
