"""Files as spreadsheet programs write them."""

from pathlib import Path

import pandas as pd
import pytest

import counsel as cs
from counsel.exchange import import_trials, study_from_yaml
from counsel.exchange.spreadsheet import read_spreadsheet

GERMAN = "Menge;Lösung;Ausbeute\n12,5;Äther;\u221280,25\n20;–;1\u202f234,5\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
def test_a_german_export_in_any_encoding(tmp_path: Path, encoding: str) -> None:
    """Excel writes "CSV" as Windows-1252 and "Unicode text" as UTF-16."""
    text = GERMAN if encoding != "cp1252" else GERMAN.replace("\u2212", "-").replace("\u202f", "")
    (tmp_path / "a.csv").write_bytes(text.replace("\n", "\r\n").encode(encoding))
    frame = read_spreadsheet(tmp_path / "a.csv")
    assert frame.to_dict("list") == {
        "Menge": ["12.5", "20"],
        "Lösung": ["Äther", "–"],
        "Ausbeute": ["-80.25", "1234.5"],
    }


def test_rows_are_counted_as_the_spreadsheet_counts_them(tmp_path: Path) -> None:
    text = "sep=;\r\na;b;;\r\n1;2;;\r\n;;;\r\n\r\n3;x;;\r\n"
    (tmp_path / "a.csv").write_text(text, encoding="utf-8", newline="")
    frame = read_spreadsheet(tmp_path / "a.csv")
    assert list(frame.columns) == ["a", "b"]
    assert frame.index.tolist() == [2, 5]
    study = cs.create_study(cs.Space(a=cs.Float(0, 9)), objective="b", policy="random")
    with pytest.raises(cs.InvalidInput, match="row 5, column 'b': got 'x'"):
        import_trials(study, tmp_path / "a.csv")


@pytest.mark.parametrize(("line", "said"), [("1", "row 2"), ("1;2;3", "row 2")])
def test_a_row_of_another_length_is_refused(tmp_path: Path, line: str, said: str) -> None:
    (tmp_path / "a.csv").write_text(f"a;b\n{line}\n", encoding="utf-8")
    with pytest.raises(cs.InvalidInput, match=f"{said}: .*Give 2 cells"):
        read_spreadsheet(tmp_path / "a.csv")


def test_none_is_a_level_where_it_is_a_text_and_a_gap_among_numbers(tmp_path: Path) -> None:
    space = cs.Space(additive=cs.Categorical(["None", "NA", "LiCl"]), t=cs.Float(0, 100))
    study = cs.create_study(space, objective="y", policy="random")
    rows = {"additive": ["None", "NA", "LiCl", "LiCl"], "t": [1, 2, 3, 4]}
    pd.DataFrame({**rows, "y": [0.5, 1.5, 2.5, "NA"]}).to_excel(tmp_path / "a.xlsx", index=False)
    found = import_trials(study, tmp_path / "a.xlsx")
    assert [each.values["additive"] for each in found.observations] == ["None", "NA", "LiCl"]
    assert found.empty == (5,)
    (tmp_path / "arms.csv").write_text("additive,t\nNone,1\nNA,2\nLiCl,3\n", encoding="utf-8")
    (tmp_path / "s.yaml").write_text("name: s\narms: arms.csv\npolicy: random\n", encoding="utf-8")
    arms = study_from_yaml(tmp_path / "s.yaml").problem.space
    assert [each["additive"] for each in arms] == ["None", "NA", "LiCl"]  # type: ignore[union-attr]


def test_a_sheet_is_chosen_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "book.xlsx"
    with pd.ExcelWriter(path) as book:
        pd.DataFrame({"note": ["read me"]}).to_excel(book, sheet_name="about", index=False)
        runs = pd.DataFrame({"x": [0.5, None, 0.7], "y": [1.0, None, 2.0]})
        runs.to_excel(book, sheet_name="runs", index=False)
    study = cs.create_study(cs.Space(x=cs.Float(0, 1)), objective="y", policy="random")
    found = import_trials(study, path, sheet="runs")
    assert (len(found.observations), found.empty) == (2, ())
    with pytest.raises(cs.InvalidInput, match="Did you mean 'runs'"):
        import_trials(study, path, sheet="run")
    (tmp_path / "a.csv").write_text("x,y\n1,2\n", encoding="utf-8")
    with pytest.raises(cs.InvalidInput, match="Only an Excel file has sheets"):
        import_trials(study, tmp_path / "a.csv", sheet="runs")
