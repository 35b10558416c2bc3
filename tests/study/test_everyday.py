"""What people met in their first days with a real laboratory, row by row.

Rows that need more room have files of their own: failed trials that trap a policy, proposals of
dead workers and how far a rejection reaches (test_failures), choices that trap the default
(policies/test_default), one posterior for all questions (test_reuse), figures of choices
(plots/test_choices), instruments' steps, mixtures and labels (space/test_instruments).
"""

import dataclasses
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import counsel as cs
from counsel.cli import app
from counsel.exchange import export_study, import_study, import_trials, study_from_yaml
from counsel.study import proposing

SPACE = cs.Space(t=cs.Float(0, 100), kind=cs.Categorical(["a", "b"]))


def started(**options: Any) -> cs.Study:
    return cs.create_study(SPACE, policy="random", **options)


# ---- a failure is a fact


def test_what_cannot_be_measured_is_refused_with_the_way_out() -> None:
    study = started()
    proposal = study.ask()
    with pytest.raises(cs.InvalidInput, match="leave out what could not be measured"):
        study.tell(proposal, float("nan"))
    with pytest.raises(cs.InvalidInput, match="trial 0, objective: got nan"):
        study.tell_many([{**proposal.values, "objective": float("nan")}])
    study.fail(proposal, reason="it clotted")
    assert study.dataframe()["status"].tolist() == ["failed"]
    assert study.pending == ()


def test_after_accepting_one_call_rejects() -> None:
    study = started()
    proposal = study.ask()
    study.accept(proposal, actor="ann")
    study.reject(proposal, actor="ann", replace=True)
    assert study.dataframe()["status"].tolist() == ["rejected"]


def test_how_far_a_rejection_reaches_is_said() -> None:
    study = started()
    assert study.reject(study.ask()).radius == 0.05
    assert study.reject(study.ask(), scope="point").radius == 0.001
    assert study.reject(study.ask(), radius=0.2).radius == 0.2


# ---- spreadsheets


def test_a_grown_spreadsheet_counts_no_row_twice(tmp_path: Path) -> None:
    study, file = started(), tmp_path / "past.csv"
    lines = [f"{3 * i},{'ab'[i % 2]},{i / 7:.3f}" for i in range(13)]
    file.write_text("\n".join(["t,kind,objective", *lines[:12]]))
    assert import_trials(study, file).sentence() == "0 already there, 12 new."
    file.write_text("\n".join(["t,kind,objective", *lines]))
    assert import_trials(study, file).sentence() == "12 already there, 1 new."
    assert len(study.observations) == 13


def test_decimal_commas_are_numbers(tmp_path: Path) -> None:
    study, file = started(), tmp_path / "past.csv"
    file.write_text("t;kind;objective\n12,5;a;0,25\n")
    import_trials(study, file)
    assert study.observations[0].values == {"t": 12.5, "kind": "a"}
    assert study.observations[0].outcomes == {"objective": 0.25}


# ---- arms


def test_two_thousand_names_are_no_reason() -> None:
    """An id column names an arm and says nothing about it: the model has no column for it."""
    rng = np.random.default_rng(0)
    rows = [
        {"id": f"C{i:04d}", "conc": float(10**c), "x": float(x)}
        for i, (c, x) in enumerate(rng.uniform((-4.0, 0.0), (0.0, 1.0), (2000, 2)))
    ]
    arms = cs.Arms(rows, label="id", log=["conc"])
    assert arms.dim == 2
    assert arms.points[:, 0].std() == pytest.approx(12**-0.5, abs=0.02)  # even in the logarithm
    study = cs.create_study(arms, policy="random")
    assert set(study.ask().values) == {"id", "conc", "x"}
    assert study.tell({"id": "C0007"}, 1.0).values["x"] == rows[7]["x"]


# ---- corners


def test_many_trials_as_dicts() -> None:
    study = started()
    study.tell_many(
        [{"t": 1.0, "kind": "a", "objective": 0.1}, {"t": 2.0, "kind": "b"} | {"objective": 1}]
    )
    assert [each.outcomes["objective"] for each in study.observations] == [0.1, 1.0]


def test_small_numbers_in_a_file_are_numbers(tmp_path: Path) -> None:
    file = tmp_path / "study.yaml"
    file.write_text(
        "name: small\nparameters:\n  rate: {type: float, low: 1e-4, high: 1, log: true}\n"
    )
    assert study_from_yaml(file).problem.space.parameters["rate"].low == 1e-4  # type: ignore[union-attr]


@pytest.mark.parametrize("where", ["memory", "sqlite"])
def test_a_study_is_pickled(where: str, tmp_path: Path) -> None:
    storage = None if where == "memory" else f"sqlite:///{tmp_path / 's.db'}"
    study = started(storage=storage)
    study.tell(study.ask(), 1.0)
    again = pickle.loads(pickle.dumps(study))
    assert again.facts == study.facts
    assert again.ask().values == (study.ask() if storage is None else study.pending[0]).values


def test_the_table_of_trials_as_csv(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 's.db'}"
    study = started(storage=address)
    study.tell(study.ask(), 1.0)
    study.tell({"t": 3.0, "kind": "a"}, 2.0)
    found = CliRunner().invoke(app, ["table", "--csv", "--storage", address])
    assert found.stdout == study.dataframe().to_csv(index=False)
    assert len(found.stdout.splitlines()) == 3


def test_a_notebook_shows_studies_proposals_and_the_best() -> None:
    study = started()
    proposal = study.ask()
    study.tell(proposal, 1.0)
    for shown in (study, proposal, study.best):
        assert "<table" in shown._repr_html_()  # type: ignore[union-attr]
    assert "1 observation," in repr(study)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["pending"], "p1"),
        (["predict", "t=5,kind=a"], "Nothing has been measured yet."),
        (["fail", "p1", "--reason", "it clotted"], "failed"),
    ],
)
def test_words_that_people_try_at_the_command_line(
    words: list[str], said: str, tmp_path: Path
) -> None:
    address = f"sqlite:///{tmp_path / 's.db'}"
    started(storage=address).ask()
    found = CliRunner().invoke(app, [*words, "--storage", address])
    assert found.exit_code == 0, found.output
    assert said in found.stdout


def test_the_shell_completes() -> None:
    found = CliRunner().invoke(app, ["--help"])
    assert "--install-completion" in found.stdout


def test_a_file_and_back(tmp_path: Path) -> None:
    study = started()
    study.fail(study.ask())
    again = import_study(export_study(study, tmp_path / "s.json"))
    assert again.facts == study.facts


@pytest.mark.parametrize("policy", ["random", "v-ucb"])
def test_the_best_of_repeated_measurements_is_their_mean(policy: str) -> None:
    """The luckiest of several measurements at a point is not what the point is worth."""
    study = cs.create_study(cs.Space(x=cs.Float(0, 1)), policy=policy, direction="minimize")
    for x, value in ((0.2, 1.0), (0.8, 0.5), (0.8, 3.5), (0.8, 2.0), (0.2, 1.4)):
        study.tell({"x": x}, value)
    best = study.best
    assert best is not None
    assert (best.values["x"], best.measurements) == (0.2, 2)
    assert best.value == pytest.approx(1.2)


@pytest.mark.parametrize("policy", [None, "random"])
def test_a_trial_that_is_under_way_already_is_said_to_be(policy: str | None) -> None:
    """A batch of more trials than there are points."""
    space = cs.Space(a=cs.Int(0, 1), b=cs.Categorical(["x", "y"]), context={"day": cs.Int(1, 2)})
    study = cs.create_study(space, policy=policy, seed=1)
    for value in range(4):
        study.tell(study.ask(context={"day": 1}), float(value))
    batch = study.ask(6, context={"day": 1})
    said = "The same trial is under way already"
    for place, each in enumerate(batch):
        again = any(each.values == earlier.values for earlier in batch[:place])
        assert (said in each.note) == again, each
    assert any(said in each.note for each in batch)  # of six trials at four points
    other = study.ask(context={"day": 2})
    assert said not in other.note
    assert study.replay().identical


def test_a_repeated_trial_of_an_earlier_version_still_replays() -> None:
    study = cs.create_study(cs.Arms([{"a": 0.0}, {"a": 1.0}]), policy="random")
    study.ask(3)
    assert study.replay().identical
    before = [
        dataclasses.replace(fact, note="") if isinstance(fact, cs.Proposal) else fact
        for fact in study.facts
    ]
    recorded, replayed = before[-1], study.facts[-1]
    assert isinstance(recorded, cs.Proposal)
    assert isinstance(replayed, cs.Proposal)
    assert replayed.note
    assert proposing._differences(recorded, replayed) == []
    changed = dataclasses.replace(recorded, note="Something else.")
    assert [each.field for each in proposing._differences(changed, replayed)] == ["note"]
