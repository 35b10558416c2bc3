"""Spreadsheets: CSV, Excel and Parquet files as DataFrames."""

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

from counsel.errors import InvalidInput, install
from counsel.space.spelling import EITHER, Unclear, are_numbers, marks_in, settled

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["read_spreadsheet", "typed_spreadsheet"]


def read_spreadsheet(source: Any, decimal: str | None = None) -> "pd.DataFrame":
    """A file or a DataFrame. Cells of a text file are strings: what they mean is known later.

    Cells are separated by commas, semicolons or tabs. Decimal commas become points. What 1,234 or
    1.234 means follows from the other numbers in its column, else in the table; where these do not
    settle it, the cell is `Unclear`. `decimal`, a comma or a point, says it for the whole table; a
    column that contradicts it is `Unclear` where it could be misread.
    """
    import pandas as pd

    if isinstance(source, pd.DataFrame):
        return _with_points(source.copy(), decimal)
    path = Path(source)
    if not path.is_file():
        raise InvalidInput("file", str(path), "There is no such file.")
    try:
        match path.suffix.lower():
            case ".csv" | ".txt" | ".tsv":
                return _text_table(path, decimal)
            case ".xlsx" | ".xlsm":
                return _with_points(pd.read_excel(path), decimal)
            case ".parquet":
                return pd.read_parquet(path)
    except ImportError:
        raise InvalidInput(
            "file", str(path), f"Excel files need openpyxl: {install('excel')}."
        ) from None
    except InvalidInput:
        raise
    except (ValueError, OSError, csv.Error, BadZipFile) as error:
        raise InvalidInput("file", str(path), f"It cannot be read: {error}.") from None
    raise InvalidInput("file", str(path), "Let its name end in .csv, .xlsx or .parquet.")


def typed_spreadsheet(path: Path) -> "pd.DataFrame":
    """A file whose columns are numbers where all their cells are."""
    import pandas as pd

    frame = read_spreadsheet(path)
    for name, column in frame.items():
        for row, cell in enumerate(column, 2):
            if isinstance(cell, Unclear) and are_numbers(column):
                raise InvalidInput(f"row {row}, column {name!r}", str(cell), EITHER)
    if path.suffix.lower() in (".csv", ".txt", ".tsv"):
        return pd.read_csv(io.StringIO(frame.to_csv(index=False)))
    return frame


def _text_table(path: Path, decimal: str | None) -> "pd.DataFrame":
    import pandas as pd

    with path.open(encoding="utf-8-sig", newline="") as file:
        heading = file.readline()
        separator = max(",;\t", key=heading.count)
        file.seek(0)
        lines = [line for line in csv.reader(file, delimiter=separator) if any(line)]
    for number, line in enumerate(lines, 1):
        if len(line) != len(lines[0]):
            raise InvalidInput(f"row {number}", line, f"Give {len(lines[0])} cells, as in row 1.")
    frame = pd.DataFrame(lines[1:], columns=lines[0] if lines else None, dtype=object)
    return _with_points(frame, decimal, everywhere=separator != ",")


def _with_points(
    frame: "pd.DataFrame", decimal: str | None, *, everywhere: bool = False
) -> "pd.DataFrame":
    """The same with decimal points: in columns of numbers, or in cells `everywhere`."""
    import pandas as pd

    around = marks_in(cell for _, column in frame.items() for cell in column)
    for place, (_, column) in enumerate(list(frame.items())):
        if everywhere or are_numbers(column):
            own = marks_in(column)
            marks = own if own or decimal else around
            cells = [settled(cell, marks, decimal) for cell in column]
            # As objects: a column of strings would forget which ones are unclear.
            kept = pd.Series(cells, frame.index, dtype=object)
            frame.isetitem(place, kept)  # type: ignore[arg-type]
    return frame
