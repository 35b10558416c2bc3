"""The experiments of teams: paired runs, every rule through the runner, stories of numbers."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from rich.console import Console

from counsel.experiments.experiment import Experiment
from counsel.experiments.registry import experiments
from counsel.experiments.runner import run
from counsel.experiments.teams.exosuit import EXOSUIT
from counsel.experiments.teams.goals import GOALS, excess
from counsel.experiments.teams.paper import PAPER
from counsel.experiments.teams.robustness import ROBUSTNESS
from counsel.experiments.teams.runs import RULE_NAMES, _split
from counsel.experiments.teams.tables import against, over_subjects
from counsel.teams.people import PEOPLE
from counsel.teams.rules import RULES

pytestmark = pytest.mark.xdist_group("team experiments")  # a few long tests: begun early
ROUNDS, SEEDS = 3, 4


def small(experiment: Experiment) -> Experiment:
    worlds = {name: experiment.worlds[name] for name in ("subject 1", "subject 2")}
    return replace(experiment, worlds=worlds, rounds=ROUNDS)


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> pd.DataFrame:
    ours = replace(small(EXOSUIT), methods=EXOSUIT.members(EXOSUIT.groups[0]))
    quiet = Console(quiet=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("COUNSEL_DATA", raising=False)
        out = tmp_path_factory.mktemp("results")
        return run(ours, seeds=SEEDS, out=out, backend="local", console=quiet)


def test_every_rule_has_a_name_and_every_experiment_a_place() -> None:
    assert list(RULE_NAMES) == list(RULES)
    assert experiments.get("teams/exosuit").thing is EXOSUIT
    assert experiments.get("teams/robustness").thing is ROBUSTNESS
    assert experiments.get("teams/goals").thing is GOALS
    assert experiments.get("teams/paper").thing is PAPER
    assert {m.also["first"] for m in PAPER.methods} == {3}
    assert (PAPER.rounds, PAPER.seeds) == (10, 40)
    assert [person.name for person in PEOPLE] == list(ROBUSTNESS.groups[: len(PEOPLE)])


def test_runs_are_paired_and_regret_is_never_negative(rows: pd.DataFrame) -> None:
    assert len(rows) == 2 * 10 * SEEDS * ROUNDS  # ten rules
    assert rows["regret"].min() >= 0.0
    label = {m.also["rule"]: m.label for m in EXOSUIT.members(EXOSUIT.groups[0])}
    listened = rows.groupby("method")["listened"].mean()
    assert listened[label["A0"]] == 0.0
    assert listened[label["A1"]] == 1.0
    assert listened[label["A3"]] == pytest.approx(1.0 / 3.0)  # one of three rounds
    # In round 1 both sides propose the same whatever the rule: it only picks.
    first = rows[rows["round"] == 1].set_index(["method", "world", "seed"]).sort_index()
    leads = first["lead"].unstack("method")
    np.testing.assert_allclose(leads.sub(leads.iloc[:, 0], axis=0), 0.0, atol=1e-12)
    gained = first.loc[label["A0"], "regret"] - first.loc[label["A1"], "regret"]
    np.testing.assert_allclose(gained, first.loc[label["A0"], "lead"], atol=1e-12)


def test_the_oracle_is_not_beaten_in_the_first_round(rows: pd.DataFrame) -> None:
    first = rows[rows["round"] == 1].pivot_table(
        index=["world", "seed"], columns="method", values="regret"
    )
    oracle = f"{RULE_NAMES['oracle']}, {EXOSUIT.groups[0]}"
    # A7 may try what neither proposed; all others choose between the two.
    others = [name for name in first.columns if not name.startswith(RULE_NAMES["A7"])]
    assert (first[others].min(axis=1) >= first[oracle] - 1e-12).all()


def test_the_story_speaks_of_all_hypotheses(
    rows: pd.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COUNSEL_DATA", raising=False)
    ours = replace(small(EXOSUIT), methods=EXOSUIT.members(EXOSUIT.groups[0]))
    report = ours.tell(ours, rows)
    text = " ".join(report.remarks)
    for number in "1234":
        assert f"hypothesis {number}" in text
    assert "synthetic" in text
    (chapter,) = report.chapters
    assert [len(table.rows) for table in chapter.tables] == [3, 3, 3]


def test_robustness_is_told_from_any_rows() -> None:
    """Made-up regrets: A6 as good as the better of both, an adversary who is worse alone."""
    experiment = small(ROBUSTNESS)
    rng = np.random.default_rng(0)
    parts = []
    for method in experiment.methods:
        level = {"A0": 1.0, "A1": 3.0, "A6": 0.5}.get(method.also["rule"], 2.0)
        for world in experiment.worlds:
            for seed in range(6):
                regret = level + 0.01 * rng.uniform(size=ROUNDS)
                parts.append(
                    pd.DataFrame(
                        {
                            "method": method.label,
                            "world": world,
                            "seed": seed,
                            "round": np.arange(1, ROUNDS + 1),
                            "regret": regret,
                            "listened": True,
                            "lead": 0.0,
                        }
                    )
                )
    report = experiment.tell(experiment, pd.concat(parts))
    everyone, rest = report.chapters[:2]
    assert [row[0] for row in everyone.tables[0].rows] == [person.name for person in PEOPLE]
    assert all(row[-2:] == ("0", "2") for row in everyone.tables[0].rows)
    harm = {row[0]: row[1] for row in rest.tables[0].rows}
    assert harm[RULE_NAMES["A6"]].startswith("−0.50")
    assert harm[RULE_NAMES["A1"]].startswith("2.0")


def test_differences_are_taken_seed_by_seed() -> None:
    base = np.arange(8.0)
    found = {"a": {"s": base + 1.0, "t": base}, "b": {"s": base, "t": base + 0.5}}
    table, verdicts = against("", found, "a", ["b"])
    assert (verdicts["b"].less, verdicts["b"].more) == (1, 1)
    assert table.rows[0][1].startswith("1.00")
    assert over_subjects(found, "a", "b").value == pytest.approx(0.25)
    over = excess(found, "a", ("b", "b"), "t", "b")
    np.testing.assert_allclose(over, base - (base + 0.5) - 0.05 * (base + 0.5).mean())


def test_the_goal_and_the_paper_are_told_from_any_rows() -> None:
    """Made-up regrets: A7 better than both, A6 between them."""
    rng = np.random.default_rng(0)
    for experiment in (small(GOALS), small(PAPER)):
        parts = []
        for method in experiment.methods:
            level = {"A0": 2.0, "A1": 1.0, "A4": 1.5, "A6": 1.5, "A7": 0.9, "hedge": 1.04}
            for world in experiment.worlds:
                for seed in range(6):
                    regret = level.get(method.also["rule"], 3.0) + 0.01 * rng.uniform(size=ROUNDS)
                    told = {"method": method.label, "world": world, "seed": seed}
                    rounds = {"round": np.arange(1, ROUNDS + 1), "regret": regret}
                    parts.append(pd.DataFrame({**told, **rounds, "listened": True, "lead": 0.0}))
        report = experiment.tell(experiment, pd.concat(parts))
        text = " ".join(report.remarks)
        if experiment.name == "teams/goals":
            assert "by interval: 100 of 105 asked; A7 14 of 14." in text
            goals = {row[0]: row[2:] for row in report.chapters[0].tables[0].rows}
            kept = goals["Cells that meet the goal by point estimate"]
            assert kept == ("0 of 14", "14 of 14", "14 of 14", "0 of 14", "0 of 14")
            assert goals["Better than both, poorly informed"] == ("0", "2", "0", "0", "0")
            assert goals["Mean over all cells, and below A6"][1].endswith(", 40%")
            # Every round 0.9 instead of 2, as shares of the six that three rounds cost.
            assert goals["Harm by thirds, two-faced"][1].count("−0.18") >= 3
        else:
            assert "hypothesis 3 (A4 has less regret than A3 every second): less in 2" in text
            assert "hypothesis 1 (A4 has less regret than A0 machine alone): less in 2" in text
            assert (
                "hypothesis 2 (A4 has less regret than A1 person alone): less in 0, more in 2"
                in text
            )
            # All subjects together, then regret and the incumbent's path of each.
            assert all(len(chapter.figures) == 1 + 2 * 2 for chapter in report.chapters)


def test_a_learned_rule_is_the_first_split_of_the_persons_own_rounds() -> None:
    """The second contribution tells good rounds from bad ones, the first says nothing."""
    rng = np.random.default_rng(3)
    reasons = rng.normal(size=(100, 2))
    y = np.where(reasons[:, 1] > 0.4, 2.0, 0.0) + 0.1 * rng.standard_normal(100)
    level = _split(reasons, y)
    assert level[0] == -np.inf
    below, above = (reasons[:, 1][side].tolist() for side in (y < 1.0, y > 1.0))
    assert max(below) <= level[1] < min(above)
    # Nothing to learn: no split, and the person is always listened to.
    assert (_split(reasons, rng.standard_normal(100)) == np.inf).all()
