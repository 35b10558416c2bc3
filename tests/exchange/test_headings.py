"""Headings with units and in other letters."""

import pandas as pd
import pytest

import counsel as cs
from counsel.exchange import import_trials

SPACE = cs.Space(heat=cs.Float(0, 200, unit="°C"), time=cs.Float(0, 24))


def study() -> cs.Study:
    return cs.create_study(SPACE, objective="yield", policy="random")


def table(*headings: str) -> pd.DataFrame:
    return pd.DataFrame([[80.0, 2.5, 61.0]], columns=list(headings))


@pytest.mark.parametrize(
    "headings",
    [
        ("heat", "time", "yield"),
        ("Heat", "TIME", " Yield "),
        ("Heat [°C]", "Time (h)", "Yield / %"),
    ],
)
def test_units_and_capitals_do_not_matter(headings: tuple[str, str, str]) -> None:
    told = study()
    found = import_trials(told, table(*headings))
    assert dict(told.observations[0].values) == {"heat": 80.0, "time": 2.5}
    assert told.observations[0].outcomes == {"yield": 61.0}
    changed = {each.strip() for each in headings} - {"heat", "time", "yield"}
    assert set(found.read_as) == changed


@pytest.mark.parametrize(
    ("headings", "said"),
    [
        (("Heat [K]", "time", "yield"), "'heat' is in °C here: convert"),
        (("heat", "time [h]", "yield [g]"), None),
        (("Hitze", "time", "yield"), "Missing: heat"),
        (("heat", "time", "yeild"), "Did you mean 'yeild'"),
    ],
)
def test_what_is_not_clear_is_refused(headings: tuple[str, str, str], said: str | None) -> None:
    told = study()
    if said is None:
        import_trials(told, table(*headings))
        return
    with pytest.raises(cs.InvalidInput, match=said):
        import_trials(told, table(*headings))
    assert told.facts == ()


def test_two_columns_that_may_be_the_same_are_refused() -> None:
    frame = pd.DataFrame(
        [[80.0, 2.5, 61.0, 3.1]], columns=["heat", "time", "yield [%]", "Yield [g]"]
    )
    with pytest.raises(cs.InvalidInput, match="may be 'yield': rename"):
        import_trials(study(), frame)
    told = study()
    import_trials(told, frame, rename={"Yield [g]": "yield"})
    assert told.observations[0].outcomes == {"yield": 3.1}


def test_a_parameter_called_time_is_not_a_moment() -> None:
    told = study()
    import_trials(told, table("heat", "time", "yield"))
    told.tell_many([{"heat": 90.0, "time": 3.0, "yield": 70.0}])
    assert [each.values["time"] for each in told.observations] == [2.5, 3.0]


def test_capitals_of_the_label_do_not_matter_either() -> None:
    told = study()
    rows = pd.DataFrame([["A1", 80.0, 2.5, 61.0]], columns=["Run", "heat", "time", "yield"])
    assert import_trials(told, rows, label="run").ignored == ()
    assert [each.label for each in told.observations] == ["A1"]
    assert import_trials(told, rows, label="Run").known == 1
    unclear = rows.assign(RUN="B1")
    with pytest.raises(cs.InvalidInput, match=r"label: got 'run'\. Name one of the columns: Run"):
        import_trials(told, unclear, label="run")
