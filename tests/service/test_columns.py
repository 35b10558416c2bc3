"""What the columns of a table of candidates are, and which lines are refused."""

import pytest

from counsel.errors import InvalidInput
from counsel.service.web.columns import arms_of, guess, read_columns, remark

_TABLE = """id,heat,solvent,yield,site
A-1,20,water,3.5,x
A-2,30,oil,,x
A-3,25,water,4,x
"""


def test_a_text_of_its_own_in_every_row_is_a_name_and_not_a_parameter() -> None:
    columns = read_columns(_TABLE)
    kinds = guess(columns, "yield")
    assert kinds == ["name", "number", "category", "result", "ignore"]
    found = arms_of(columns, kinds)
    assert found.label == "id"
    assert found.arms[1] == {"id": "A-2", "heat": 30, "solvent": "oil"}
    assert found.results == {0: 3.5, 2: 4.0}


@pytest.mark.parametrize("cell", ["", "NaN", "n/a", "hot"])
def test_a_bad_cell_does_not_turn_numbers_into_text(cell: str) -> None:
    columns = read_columns(_TABLE.replace("25", cell))
    kinds = guess(columns, "yield")
    assert kinds[1] == "number"
    named = f"“{cell}” is " if cell else ""
    assert remark(columns[1], "number") == f"Line 4: {named}not a number."
    said = f"“{cell}”, which is not a number" if cell else "empty"
    with pytest.raises(InvalidInput) as refused:
        arms_of(columns, kinds)
    remedy = "Correct the file, or choose “Leave out lines with mistakes”."
    assert str(refused.value) == f"Line 4: heat is {said}. {remedy}"
    kept = arms_of(columns, kinds, leave_out=True)
    assert [arm["id"] for arm in kept.arms] == ["A-1", "A-2"]
    assert len(kept.left_out) == 1


def test_the_same_candidate_twice_is_named_by_its_lines() -> None:
    columns = read_columns(_TABLE + "A-4,20,water,,x\n")
    with pytest.raises(InvalidInput, match="Line 5: the same candidate as line 2"):
        arms_of(columns, guess(columns, "yield"))


def test_semicolons_bring_decimal_commas() -> None:
    columns = read_columns("heat;kind\n1,5;a\n2,5;b\n3;a\n")
    assert arms_of(columns, guess(columns)).arms[0] == {"heat": 1.5, "kind": "a"}


@pytest.mark.parametrize("text", ["a,b\n", "a,a\n1,2\n", "a,b\n1\n"])
def test_what_is_not_a_table_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput):
        read_columns(text)


def test_a_logarithm_needs_positive_numbers() -> None:
    columns = read_columns("dose,kind\n0,a\n1,b\n10,a\n")
    with pytest.raises(InvalidInput, match="Line 2: dose is “0”, which is not a positive number"):
        arms_of(columns, ["log", "category"])
    assert arms_of(columns, ["number", "category"]).log == []
