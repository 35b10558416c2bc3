"""The demonstration's world, its wearer and what it shows."""

import io
import re
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from counsel.demo import terminal as demo
from counsel.errors import InvalidInput
from counsel.facts.records import Decision
from counsel.study import Study


def test_nothing_on_a_fine_grid_beats_the_stated_optimum() -> None:
    best = demo.comfort(**demo.OPTIMUM)
    assert max(demo.comfort(a, b) for a in range(51) for b in range(51)) < best
    a, b = demo.OPTIMUM["lifting"], demo.OPTIMUM["lowering"]
    around = [(a + h * np.cos(t), b + h * np.sin(t)) for h in (1e-3, 0.1) for t in range(6)]
    assert all(demo.comfort(float(x), float(y)) < best for x, y in around)


def test_there_is_a_second_hill_to_be_fooled_by() -> None:
    top = demo.comfort(12, 38)
    assert all(demo.comfort(12 + 6 * np.cos(t), 38 + 6 * np.sin(t)) < top for t in range(7))
    assert top < demo.comfort(**demo.OPTIMUM) - 2


def test_feeling_is_noisy_but_repeatable() -> None:
    felt = [demo.feel(demo.IDEA, 0, trial) for trial in (1, 2, 1)]
    assert felt[0] == felt[2] != felt[1]
    assert abs(felt[0] - demo.comfort(**demo.IDEA)) < 5 * demo.NOISE


@pytest.mark.parametrize("seed", range(3))
def test_the_wearer_rejects_one_and_overrides_one(seed: int) -> None:
    study = demo.start("random", seed)
    trials = list(demo.play(study, 25))
    kinds = [trial.decision.kind for trial in trials]
    assert (kinds.count("reject"), kinds.count("override"), len(kinds)) == (1, 1, 25)
    assert len(study.observations) == 24
    for trial in trials:
        assert (trial.observation is None) == (trial.decision.kind == "reject")
        if trial.decision.kind == "override":
            assert trial.observation is not None
            assert trial.observation.values == demo.IDEA


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Study, str, Path]:
    """The demonstration as it is by default, on a screen of 80 columns."""
    out = tmp_path_factory.mktemp("demo") / "demo.html"
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, width=80, highlight=False, _environ={})
    return demo.run(out=out, console=console), screen.getvalue(), out


def test_it_finds_the_optimum_and_shows_it(whole: tuple[Study, str, Path]) -> None:
    study, _, out = whole
    assert study.best is not None
    found = demo.comfort(**study.best.values)
    assert demo.comfort(**demo.OPTIMUM) - found < 0.1
    assert {f.kind for f in study.facts if isinstance(f, Decision)} == {
        "accept",
        "override",
        "reject",
    }
    assert len(study.pending) == 1  # the next proposal, in the figures too
    page = out.read_text(encoding="utf-8")
    assert '"name":"waiting"' in page
    assert "optimum 8.897" in page


def test_the_screen_has_a_bar_a_table_and_the_checks(whole: tuple[Study, str, Path]) -> None:
    _, screen, out = whole
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", screen)
    for expected in (
        "warming up (compiling once; cached for next time)",
        "25/25 ━",
        "ann rejects it",
        "ann overrides it",
        "predicted",
        "★",
        "optimum  lifting 30.9, lowering 17.1; comfort 8.90",
        "replayed 25 proposals: identical",
        "ms per proposal",
    ):
        assert expected in plain
    lines = re.split(r"[\r\n]+", plain)
    assert max(len(line) for line in lines if str(out) not in line) <= 80


def test_no_color_means_no_colours(tmp_path: Path) -> None:
    screen = io.StringIO()
    console = Console(
        file=screen, force_terminal=True, width=80, highlight=False, _environ={"NO_COLOR": "1"}
    )
    demo.run(trials=9, policy="random", out=tmp_path / "demo.html", console=console)
    codes = re.findall(r"\x1b\[([0-9;]*)m", screen.getvalue())
    assert {part for code in codes for part in code.split(";")} <= {"", "0", "1", "2"}


def test_few_trials_and_no_beliefs_work(tmp_path: Path) -> None:
    screen = io.StringIO()
    study = demo.run(1, "random", 3, tmp_path / "demo.html", Console(file=screen, width=80))
    assert len(study.observations) == 1
    assert "replayed 1 proposals: identical" in screen.getvalue()


def test_bad_arguments_are_refused_before_any_work(tmp_path: Path) -> None:
    screen = io.StringIO()
    quiet = Console(file=screen)
    with pytest.raises(InvalidInput, match="trials"):
        demo.run(trials=0, console=quiet)
    with pytest.raises(InvalidInput, match="path"):
        demo.run(out=tmp_path, console=quiet)
    assert "accepted" not in screen.getvalue()
