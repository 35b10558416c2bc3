"""A spreadsheet of past trials: found by name, all or nothing, not twice."""

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import counsel as cs
from counsel.exchange import Imported, import_trials, study_from_yaml
from counsel.facts.records import PastTrial
from counsel.facts.state import StudyState

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


def test_sem_alone_is_that_of_the_objective(tmp_path: Path) -> None:
    study = cs.create_study(
        cs.Space(x=cs.Float(0, 1)),
        objective="yield",
        constraints=[cs.Constraint("purity", at_least=0)],
    )
    found = import_trials(study, save(tmp_path, "x;yield;purity;SEM\n0,5;1;2;0,25\n0,6;2;2;\n"))
    assert (found.ignored, dict(found.read_as)) == ((), {"SEM": "yield sem"})
    assert [dict(o.sem) for o in study.observations] == [{"yield": 0.25}, {}]
    table = study.dataframe()
    assert table["yield sem"].tolist()[0] == 0.25
    assert "purity sem" not in table
    again = cs.create_study(
        cs.Space(x=cs.Float(0, 1), sem=cs.Float(0, 1)), objective="yield", name="of its own"
    )
    import_trials(again, save(tmp_path, "x,sem,yield\n0.5,0.1,1\n"))
    assert (dict(again.observations[0].values)["sem"], again.observations[0].sem) == (0.1, {})


def test_the_table_has_the_error_of_a_mean() -> None:
    study = cs.create_study(cs.Space(x=cs.Float(0, 1)), seed=0)
    proposal = study.ask()
    study.tell(proposal, 1.0, sem=0.3)
    study.tell(proposal, 2.0, sem=0.4, repeat=True)
    assert study.dataframe()[["objective", "objective sem"]].values.tolist() == [[1.5, 0.25]]
    study.tell(proposal, 3.0, repeat=True)
    assert "objective sem" not in study.dataframe()


def test_twice_is_once(study: cs.Study, tmp_path: Path) -> None:
    path = save(tmp_path, TABLE)
    first = import_trials(study, path)
    again = import_trials(study, path)
    assert (again.observations, again.known) == ((), len(first.observations))
    assert len(study.facts) == 3
    more = save(tmp_path, TABLE + "1,1,soft,1,3.5,,,\n")
    grown = import_trials(study, more)
    assert (len(grown.observations), grown.known) == (1, 3)
    left_out = "Columns ignored: remark. Row 4 has no outcome."
    assert grown.sentence() == f"3 already there, 1 new. {left_out}"


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ((8,), "Row 8 has no outcome."),
        ((8, 12), "Rows 8 and 12 have no outcome."),
        ((2, 3, 5), "Rows 2, 3 and 5 have no outcome."),
        (
            tuple(range(2, 20)),
            "Rows 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13 and 6 others have no outcome.",
        ),
    ],
)
def test_rows_without_an_outcome_are_named(rows: tuple[int, ...], said: str) -> None:
    assert Imported((), (), rows).sentence() == f"0 already there, 0 new. {said}"


HEADED = "Run No,LIFTING [N],steps,Mode,day,Comfort\na,12.5,3,soft,1,1.25\nb,20,4,soft,2,2\n"


@pytest.mark.parametrize(
    ("old", "new", "label", "said"),
    [
        ("b,20", "b,900", None, "row 3, column 'LIFTING [N]'"),
        ("soft,2,2", "soft,2,two", None, "row 3, column 'Comfort'"),
        ("b,20", ",20", "RUN NO", "row 3, column 'Run No'"),
        ("", "", "Run", "Run No, LIFTING [N], steps, Mode, day, Comfort"),
        ("day", "dai", None, r"'LIFTING [N]', 'steps', 'Mode', 'dai', 'Comfort']"),
    ],
)
def test_a_column_is_called_what_the_table_calls_it(
    study: cs.Study, tmp_path: Path, old: str, new: str, label: str | None, said: str
) -> None:
    path = save(tmp_path, HEADED.replace(old, new) if old else HEADED)
    with pytest.raises(cs.InvalidInput, match=re.escape(said)):
        import_trials(study, path, label=label)


def test_an_arm_without_its_label_is_asked_for(tmp_path: Path) -> None:
    arms = cs.Arms([{"id": "C1", "x": 1.0, "y": 2.0}, {"id": "C2", "x": 3.0, "y": 1.0}], label="id")
    study = cs.create_study(arms, objective="z")
    path = save(tmp_path, "ID,x,z\n,1,1\nC2,3,2\n")
    with pytest.raises(cs.InvalidInput, match=r"row 2, column 'ID'.*Name the arm"):
        import_trials(study, path)


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


def test_the_same_measurement_twice_in_one_table_is_two(study: cs.Study, tmp_path: Path) -> None:
    row = "12.5,3,soft,1,1.25\n"
    heading = "lifting,steps,mode,day,comfort\n"
    assert len(import_trials(study, save(tmp_path, heading + row + row)).observations) == 2
    again = import_trials(study, save(tmp_path, heading + row * 3))
    assert (len(again.observations), again.known) == (1, 2)


def test_rows_are_recognised_by_their_label_and_corrected(study: cs.Study, tmp_path: Path) -> None:
    heading = "run,lifting,steps,mode,day,comfort\n"
    rows = "A1,12.5,3,soft,1,1.25\nA2,12.5,3,soft,1,1.25\n"
    first = import_trials(study, save(tmp_path, heading + rows), label="run")
    assert [o.label for o in first.observations] == ["A1", "A2"]
    changed = rows.replace("A2,12.5,3,soft,1,1.25", "A2,12.5,3,soft,1,1.5")
    again = import_trials(study, save(tmp_path, heading + changed), label="run", actor="ann")
    assert again.sentence() == "1 already there, 0 new, 1 corrected."
    assert [o.outcomes["comfort"] for o in study.observations] == [1.25, 1.5]
    moved = rows.replace("A2,12.5", "A2,13.5")
    with pytest.raises(cs.InvalidInput, match="A2 was made at"):
        import_trials(study, save(tmp_path, heading + moved), label="run")
    twice = rows.replace("A2", "A1")
    with pytest.raises(cs.InvalidInput, match="Row 2 has this label"):
        import_trials(study, save(tmp_path, heading + twice), label="run")


def test_new_rows_and_corrections_are_one_transaction(
    study: cs.Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    heading = "run,lifting,steps,mode,day,comfort,comfort sem\n"
    rows = "A1,12.5,3,soft,1,1.25,\nA2,12.5,3,soft,1,1.25,\n"
    import_trials(study, save(tmp_path, heading + rows), label="run")
    before = study.facts
    grown = rows.replace("A1,12.5,3,soft,1,1.25,", "A1,12.5,3,soft,1,1.25,0.5")
    grown = grown.replace("A2,12.5,3,soft,1,1.25", "A2,12.5,3,soft,1,1.5") + "A3,1,3,soft,1,2,\n"
    path = save(tmp_path, heading + grown)

    def broken(*_: object) -> None:
        raise OSError("the disk is full")

    with monkeypatch.context() as failing:
        failing.setattr(StudyState, "observation", broken)
        with pytest.raises(OSError, match="full"):
            import_trials(study, path, label="run")
    assert study.facts == before
    again = import_trials(study, path, label="run")
    assert again.sentence() == "0 already there, 1 new, 2 corrected."
    assert [type(fact).__name__ for fact in study.facts[len(before) :]] == [
        "Observation",
        "Observation",
        "Withdrawal",
        "Revision",
    ]
    back = heading + grown.replace("A2,12.5,3,soft,1,1.5", "A2,12.5,3,soft,1,1.25")
    for text in (back, heading + grown, back):  # there and back: each is a correction
        import_trials(study, save(tmp_path, text), label="run")
    assert {o.label: o.outcomes["comfort"] for o in study.observations}["A2"] == 1.25
    assert import_trials(study, save(tmp_path, back), label="run").sentence() == (
        "3 already there, 0 new."
    )


def test_decimal_commas_days_first_and_standard_errors(study: cs.Study, tmp_path: Path) -> None:
    text = "lifting;steps;mode;day;comfort;comfort sem;time\n"
    text += "12,5;3;soft;1;-1,25e1;0,5;01.05.2026 14:30\n50;9;stiff;5;1.234,5;;2026-05-02\n"
    found = import_trials(study, save(tmp_path, text)).observations
    assert [o.values["lifting"] for o in found] == [12.5, 50.0]
    assert [o.outcomes["comfort"] for o in found] == [-12.5, 1234.5]
    assert [dict(o.sem) for o in found] == [{"comfort": 0.5}, {}]
    assert [o.time.day for o in found] == [1, 2]


@pytest.mark.parametrize("form", ["dicts", "frame", "records"])
def test_many_trials_at_once_from_what_people_have(study: cs.Study, form: str) -> None:
    rows: list[dict[str, Any]] = [
        {"lifting": 1.0, "steps": 1, "mode": "soft", "day": 1, "comfort": 0.5, "actor": "ann"},
        {"lifting": 2.0, "steps": 2, "mode": "stiff", "day": 2, "comfort": 0.7, "actor": "ben"},
    ]
    given: Any = {
        "dicts": rows,
        "frame": pd.DataFrame(rows),
        "records": [
            PastTrial(
                {n: row[n] for n in SPACE.names}, {"comfort": row["comfort"]},
                {"day": row["day"]}, row["actor"],
            )
            for row in rows
        ],
    }[form]  # fmt: skip
    told = study.tell_many(given)
    assert [o.outcomes["comfort"] for o in told] == [0.5, 0.7]
    assert [o.actor for o in told] == ["ann", "ben"]
    assert [o.context["day"] for o in told] == [1, 2]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("abc", "list of dicts"),
        ([3], "dict of parameters"),
        ([{"lifting": 1, "hight": 2}], "hight"),
        ([{"lifting": 1.0, "steps": 1, "mode": "soft", "day": 1}], "one number"),
        ([{"lifting": 1.0, "steps": 1, "mode": "soft", "comfort": 1.0}], "day"),
    ],
)
def test_many_trials_that_make_no_sense_are_refused(
    study: cs.Study, given: Any, message: str
) -> None:
    with pytest.raises(cs.InvalidInput, match=message):
        study.tell_many(given)
    assert study.facts == ()


def test_decimal_commas_in_quotes_between_commas(study: cs.Study, tmp_path: Path) -> None:
    rows = '"30,0",3,soft,1,"1,25"\n"40,125",3,soft,1,2\n'
    import_trials(study, save(tmp_path, "lifting,steps,mode,day,comfort\n" + rows))
    assert [each.values["lifting"] for each in study.observations] == [30.0, 40.125]
    assert [each.outcomes["comfort"] for each in study.observations] == [1.25, 2.0]


def test_decimal_commas_in_a_dataframe(study: cs.Study) -> None:
    columns = {"steps": [3], "mode": ["soft"], "day": [1], "comfort": ["1,5"]}
    import_trials(study, pd.DataFrame({"lifting": ["30,0"], **columns}))
    assert study.observations[0].values["lifting"] == 30.0
    assert study.observations[0].outcomes["comfort"] == 1.5


@pytest.mark.parametrize(
    ("lifting", "comfort", "decimal", "expected"),
    [
        (["12.5", "20"], ["1,234", "7"], None, None),  # beside points a comma may mean thousands
        (["12", "20"], ["1,234", "7"], None, None),
        (["12", "20"], ["1.234", "7,5"], None, None),  # beside commas a point may, too
        (["12,5", "20"], ["1.234", "7"], None, None),
        (["12,5", "20"], ["1,234", "7"], None, [1.234, 7.0]),
        (["12.5", "20"], ["1,234", "7,5"], None, [1.234, 7.5]),
        (["12", "20"], ["1.234", "7"], None, [1.234, 7.0]),
        (["12,5", "20"], ["1.234", "7.5"], None, [1.234, 7.5]),
        (["12.5", "20"], ["1,234", "7"], ".", [1234.0, 7.0]),
        (["12", "20"], ["1,234", "7"], ",", [1.234, 7.0]),
        (["12,5", "20"], ["1.234", "7"], ",", [1234.0, 7.0]),
        (["12.5", "20"], ["1.234", "7"], ".", [1.234, 7.0]),
        (["12", "20"], ["1.234", "1.5"], ",", None),  # the column contradicts what is said
        (["12", "20"], ["1,234", "1,5"], ".", None),
        (["12", "20"], ["1,234.5", "7"], None, [1234.5, 7.0]),  # both marks: one reading
        (["12", "20"], ["1,234.5", "7"], ".", [1234.5, 7.0]),
        (["12", "20"], ["1.234,5", "7"], ",", [1234.5, 7.0]),
    ],
)
@pytest.mark.parametrize("separator", [";", ","])
def test_what_a_comma_or_a_point_separates_is_clear_or_asked(
    study: cs.Study,
    tmp_path: Path,
    lifting: list[str],
    comfort: list[str],
    decimal: str | None,
    expected: list[float] | None,
    separator: str,
) -> None:
    lines = [["lifting", "steps", "mode", "day", "comfort"]]
    lines += [[one, "3", "soft", "1", two] for one, two in zip(lifting, comfort, strict=True)]
    text = "\n".join(separator.join(f'"{cell}"' for cell in line) for line in lines)
    path = save(tmp_path, text)
    if expected is None:
        with pytest.raises(cs.InvalidInput, match=r"row 2, column 'comfort'.*1\.234 or 1234"):
            import_trials(study, path, decimal=decimal)
        assert study.facts == ()
        return
    import_trials(study, path, decimal=decimal)
    assert [each.outcomes["comfort"] for each in study.observations] == expected


def test_decimals_are_separated_by_a_comma_or_a_point(study: cs.Study, tmp_path: Path) -> None:
    with pytest.raises(cs.InvalidInput, match="decimal"):
        import_trials(study, save(tmp_path, TABLE), decimal=";")


@pytest.mark.parametrize("cells", ['"1,234",3,soft,1,2', '30,3,soft,1,"1,234"'])
def test_a_comma_that_may_mean_thousands_is_not_guessed(
    study: cs.Study, tmp_path: Path, cells: str
) -> None:
    path = save(tmp_path, f"lifting,steps,mode,day,comfort\n{cells}\n")
    with pytest.raises(cs.InvalidInput, match=r"row 2.*write 1\.234 or 1234"):
        import_trials(study, path)
    assert study.facts == ()


@pytest.mark.parametrize(
    "table",
    ["solvent;heat\nwater;30,0\nTHF;40,5\n", 'solvent,heat\nwater,"30,0"\nTHF,"40,5"\n'],
)
def test_a_table_of_arms_with_decimal_commas(tmp_path: Path, table: str) -> None:
    save(tmp_path, table, "candidates.csv")
    path = save(tmp_path, "name: lab\narms: candidates.csv\npolicy: random\n", "lab.yaml")
    arms = study_from_yaml(path).problem.space
    assert [dict(each) for each in arms] == [
        {"solvent": "water", "heat": 30.0},
        {"solvent": "THF", "heat": 40.5},
    ]


def test_a_table_of_arms_that_cannot_be_read_is_refused_in_a_sentence(tmp_path: Path) -> None:
    save(tmp_path, "solvent;heat\nwater\n", "candidates.csv")
    path = save(tmp_path, "name: lab\narms: candidates.csv\n", "lab.yaml")
    with pytest.raises(cs.InvalidInput, match=r"arms, row 2.*Give 2 cells, as in row 1"):
        study_from_yaml(path)


def test_a_cell_of_a_parameter_that_does_not_exist_may_be_empty(tmp_path: Path) -> None:
    space = cs.Space(
        solvent=cs.Categorical(["DMF", "water"]), base=cs.Float(1, 5, when={"solvent": "DMF"})
    )
    study = cs.create_study(space, policy="random")
    rows = "DMF,2.5,1\nwater,,2\n"
    import_trials(study, save(tmp_path, "solvent,base,objective\n" + rows))
    assert [dict(each.values) for each in study.observations] == [
        {"solvent": "DMF", "base": 2.5},
        {"solvent": "water"},
    ]
    with pytest.raises(cs.InvalidInput, match=r"row 2: got .*Missing: base"):
        import_trials(study, save(tmp_path, "solvent,base,objective\nDMF,,1\n"))


def test_arms_are_told_by_their_label(tmp_path: Path) -> None:
    arms = cs.Arms([{"id": 16 + i, "conc": 0.1 * i} for i in range(4)], label="id")
    study = cs.create_study(arms, policy="random")
    import_trials(study, save(tmp_path, "id,objective\n17,1\n18,\n"))
    import_trials(study, pd.DataFrame({"id": [19.0, None], "objective": [2.0, None]}))
    study.tell_many([{"id": 18, "objective": 3.0}])
    assert [each.values["id"] for each in study.observations] == ["17", "19", "18"]
    assert study.dataframe()["id"].tolist() == ["17", "19", "18"]


def test_numbers_are_the_same_label_with_and_without_gaps(study: cs.Study) -> None:
    """A column of whole numbers with an empty cell is one of floats to pandas."""
    about = {"lifting": 1.0, "steps": 1, "mode": "soft", "day": 1}
    rows = [{"run": run, **about, "comfort": run / 7} for run in (1, 2)]
    import_trials(study, pd.DataFrame(rows), label="run")
    grown = pd.DataFrame([*rows, {"run": None, **about, "comfort": None}])
    assert grown["run"].dtype == float
    assert import_trials(study, grown, label="run").sentence().startswith("2 already there, 0 new.")
    lost = pd.DataFrame([*rows, {"run": None, **about, "comfort": 1.0}])
    with pytest.raises(cs.InvalidInput, match=r"row 4, column 'run': got None\. Give every row"):
        import_trials(study, lost, label="run")


def test_an_outcome_that_was_deleted_corrects_nothing_for_ever(tmp_path: Path) -> None:
    limits = [cs.Constraint("pain", at_most=2.0)]
    study = cs.create_study(cs.Space(x=cs.Float(0, 1)), constraints=limits, policy="random")
    import_trials(study, save(tmp_path, "run,x,objective,pain\nA1,0.5,1,1\n"), label="run")
    less = save(tmp_path, "run,x,objective,pain\nA1,0.5,2,\n")
    assert import_trials(study, less, label="run").sentence().endswith("1 corrected.")
    assert import_trials(study, less, label="run").sentence() == "1 already there, 0 new."
    assert study.observations[0].outcomes == {"objective": 2.0, "pain": 1.0}


@pytest.mark.parametrize("label", [None, "run"])
def test_standard_errors_that_come_later_are_taken(tmp_path: Path, label: str | None) -> None:
    study = cs.create_study(cs.Space(x=cs.Float(0, 1)), policy="random")
    import_trials(study, save(tmp_path, "run,x,objective\nA1,0.5,1\nA2,0.6,2\n"), label=label)
    more = "run,x,objective,objective sem\nA1,0.5,1,\nA2,0.6,2,0.1\n"
    said = import_trials(study, save(tmp_path, more), label=label).sentence()
    assert said.startswith("1 already there, 0 new, 1 corrected.")
    assert [dict(each.sem) for each in study.observations] == [{}, {"objective": 0.1}]
    assert import_trials(study, save(tmp_path, more), label=label).known == 2


def test_standard_errors_in_dicts() -> None:
    study = cs.create_study(cs.Space(x=cs.Float(0, 1)), policy="random")
    study.tell_many(
        [{"x": 0.5, "objective": 1.0, "objective sem": 0.1}, {"x": 0.6, "objective": 2}]
    )
    assert [dict(each.sem) for each in study.observations] == [{"objective": 0.1}, {}]


def test_a_row_that_breaks_a_requirement_is_named_and_no_column_that_is_not_there() -> None:
    space = cs.Space(a=cs.Float(0, 100), b=cs.Float(0, 100), require=["a + b == 100"])
    study = cs.create_study(space, objective="yield", policy="random")
    rows = pd.DataFrame([[30.0, 60.0, 5.0]], columns=["a", "b", "yield"])
    with pytest.raises(cs.InvalidInput, match=r"row 2: got .*They must satisfy a \+ b") as found:
        import_trials(study, rows)
    assert found.value.field == "row 2"
