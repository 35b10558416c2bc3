"""Spreadsheets: CSV, Excel and Parquet files as DataFrames."""

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

from counsel.errors import InvalidInput, install
from counsel.space.spelling import decimal_commas, with_point

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["read_spreadsheet", "typed_spreadsheet"]


def read_spreadsheet(source: Any) -> "pd.DataFrame":
    """A file or a DataFrame. Cells of a text file are strings: what they mean is known later.

    Cells are separated by commas, semicolons or tabs. Decimal commas become points: everywhere
    where no comma separates cells, and otherwise in columns where they cannot mean thousands.
    """
    import pandas as pd

    if isinstance(source, pd.DataFrame):
        return _with_points(source.copy())
    path = Path(source)
    if not path.is_file():
        raise InvalidInput("file", str(path), "There is no such file.")
    try:
        match path.suffix.lower():
            case ".csv" | ".txt" | ".tsv":
                return _text_table(path)
            case ".xlsx" | ".xlsm":
                return _with_points(pd.read_excel(path))
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
    if path.suffix.lower() in (".csv", ".txt", ".tsv"):
        return pd.read_csv(io.StringIO(frame.to_csv(index=False)))
    return frame


def _text_table(path: Path) -> "pd.DataFrame":
    import pandas as pd

    with path.open(encoding="utf-8-sig", newline="") as file:
        heading = file.readline()
        separator = max(",;\t", key=heading.count)
        file.seek(0)
        lines = [line for line in csv.reader(file, delimiter=separator) if any(line)]
    for number, line in enumerate(lines, 1):
        if len(line) != len(lines[0]):
            raise InvalidInput(f"row {number}", line, f"Give {len(lines[0])} cells, as in row 1.")
    if separator != ",":
        lines[1:] = [[with_point(cell) for cell in line] for line in lines[1:]]
    frame = pd.DataFrame(lines[1:], columns=lines[0] if lines else None, dtype=object)
    return frame if separator != "," else _with_points(frame)


def _with_points(frame: "pd.DataFrame") -> "pd.DataFrame":
    """The same, where a column has decimal commas that cannot mean thousands with points."""
    columns = {
        place: [with_point(cell) if isinstance(cell, str) else cell for cell in column]
        for place, (_, column) in enumerate(frame.items())
        if decimal_commas(column)
    }
    for place, cells in columns.items():
        frame.isetitem(place, cells)
    return frame
