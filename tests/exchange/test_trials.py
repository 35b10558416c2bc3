"""A spreadsheet of past trials: found by name, all or nothing, not twice."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import counsel as cs
from counsel.exchange import import_trials

SPACE = cs.Space(
    lifting=cs.Float(0, 50),
    steps=cs.Int(1, 9),
    mode=cs.Categorical(["soft", "stiff", 3, True]),
    context={"day": cs.Int(1, 5)},
)
TABLE = """lifting, steps,mode,day,comfort,actor,time,remark
12.5,3,soft,1,1.25,ann,2025-05-01T14:30,fine
 20 ,4.0,3,2,-0.5,,,
30,5,true,3,,bob,,forgot to measure
50,9,stiff,5,2e0,,2025-05-02T09:00+02:00,
"""


@pytest.fixture
def study() -> cs.Study:
    return cs.create_study(SPACE, objective="comfort", policy="random", name="t")


def save(tmp_path: Path, text: str, name: str = "past.csv") -> Path:
    (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path / name


def test_a_csv_file(study: cs.Study, tmp_path: Path) -> None:
    found = import_trials(study, save(tmp_path, TABLE), actor="me")
    assert found.ignored == ("remark",)
    assert found.empty == (4,)
    assert [dict(o.values) for o in study.observations] == [
        {"lifting": 12.5, "steps": 3, "mode": "soft"},
        {"lifting": 20.0, "steps": 4, "mode": 3},
        {"lifting": 50.0, "steps": 9, "mode": "stiff"},
    ]
    assert [o.outcomes["comfort"] for o in study.observations] == [1.25, -0.5, 2.0]
    assert [o.context["day"] for o in study.observations] == [1, 2, 5]
    assert [o.actor for o in study.observations] == ["ann", "me", "me"]
    assert study.observations[0].time == datetime(2025, 5, 1, 14, 30, tzinfo=UTC)
    assert study.observations[2].time == datetime(2025, 5, 2, 7, 0, tzinfo=UTC)
    assert found.observations == study.observations
    assert study.replay().identical


def test_twice_is_once(study: cs.Study, tmp_path: Path) -> None:
    path = save(tmp_path, TABLE)
    first = import_trials(study, path)
    assert import_trials(study, path).observations == first.observations
    assert len(study.facts) == 3
    more = save(tmp_path, TABLE + "1,1,soft,1,3.5,,,\n")
    assert len(import_trials(study, more).observations) == 4  # another file


@pytest.mark.parametrize("suffix", ["xlsx", "parquet", "frame", "tsv"])
def test_other_forms(study: cs.Study, tmp_path: Path, suffix: str) -> None:
    frame = pd.DataFrame(
        {
            "Lift [N]": [1.5, 2.5],
            "steps": [1, 2],
            "mode": ["soft", "stiff"],
            "day": [1, 2],
            "comfort": [0.5, None],
        }
    )
    path: Any = tmp_path / f"past.{suffix}"
    match suffix:
        case "xlsx":
            frame.to_excel(path, index=False)
        case "parquet":
            frame.to_parquet(path)
        case "tsv":
            frame.to_csv(path, index=False, sep="\t")
        case _:
            path = frame
    found = import_trials(study, path, rename={"Lift [N]": "lifting"})
    assert [dict(o.values) for o in found.observations] == [
        {"lifting": 1.5, "steps": 1, "mode": "soft"}
    ]
    assert found.empty == (3,)
    assert "Lift [N]" in frame.columns  # the caller's own is left alone


def test_arms(tmp_path: Path) -> None:
    arms = cs.Arms([{"a": 0.1 * i, "kind": kind} for i in range(4) for kind in ("u", "v")])
    study = cs.create_study(arms, policy="random")
    path = save(tmp_path, "a,kind,objective\n0.3,v,1\n0,u,2\n")
    import_trials(study, path)
    assert [dict(o.values) for o in study.observations] == [arms[7], arms[0]]


@pytest.mark.parametrize(
    ("old", "new", "part"),
    [
        ("lifting", "weight", "Missing: lifting"),
        ("comfort", "comfy", "No outcome column: add or rename one to comfort"),
        ("remark", "day", "a different name"),
        ("12.5", "99", r"row 2, column 'lifting': got 99.0\. .*between 0.0 and 50.0"),
        ("12.5", "heavy", "row 2, column 'lifting': got 'heavy'"),
        ("12.5", "", r"row 2, column 'lifting': got None\. Fill in"),
        ("stiff", "hard", "row 5, column 'mode': got 'hard'.*'stiff'"),
        ("4.0", "4.5", r"row 3, column 'steps': got 4\.5"),
        ("-0.5", "much", "row 3, column 'comfort': got 'much'"),
        ("-0.5", "nan?", "row 3, column 'comfort': got 'nan"),
        ("-0.5", "inf", "comfort: got inf"),
        ("2025-05-01T14:30", "May", "row 2, column 'time': got 'May'"),
        (",5,2e0", ",7,2e0", "row 5, column 'day': got 7"),
    ],
)
def test_a_bad_cell_refuses_the_whole_table(
    study: cs.Study, tmp_path: Path, old: str, new: str, part: str
) -> None:
    assert old in TABLE
    with pytest.raises(cs.InvalidInput, match=part):
        import_trials(study, save(tmp_path, TABLE.replace(old, new, 1)))
    assert study.facts == ()


def test_files_that_cannot_be_read(study: cs.Study, tmp_path: Path) -> None:
    for path in (tmp_path / "none.csv", tmp_path, save(tmp_path, "x", "a.doc")):
        with pytest.raises(cs.InvalidInput, match=r"^file: got"):
            import_trials(study, path)
    for name in ("empty.csv", "no.xlsx", "no.parquet"):
        with pytest.raises(cs.InvalidInput):
            import_trials(study, save(tmp_path, "", name))


@pytest.mark.parametrize("time", ["0001-01-01T00:00:00+05:00", "9999-12-31T23:59:59-05:00"])
def test_a_time_that_no_database_holds_is_refused(
    study: cs.Study, tmp_path: Path, time: str
) -> None:
    """In UTC it would be in the year 0, or 10000."""
    path = save(tmp_path, TABLE.replace("2025-05-01T14:30", time))
    with pytest.raises(cs.InvalidInput, match="row 2, column 'time'"):
        import_trials(study, path)
    assert study.facts == ()
