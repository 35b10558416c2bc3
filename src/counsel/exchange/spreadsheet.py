"""Spreadsheets: CSV, Excel and Parquet files as DataFrames."""

import codecs
import csv
import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

from counsel.errors import InvalidInput, install
from counsel.space.checks import one_of
from counsel.space.spelling import EITHER, Unclear, are_numbers, marks_in, settled

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["decoded", "read_spreadsheet", "typed_spreadsheet"]

_TEXT = (".csv", ".txt", ".tsv")
_SEPARATOR = re.compile(r"sep=([,;\t])\r?", re.IGNORECASE)


def read_spreadsheet(
    source: Any, decimal: str | None = None, sheet: str | None = None
) -> "pd.DataFrame":
    """A file or a DataFrame. Cells of a text file are strings: what they mean is known later.

    The index of a file's rows counts them as the spreadsheet does; the heading is row 1. `sheet`
    is the name of one in an Excel file, the first by default.

    Cells are separated by commas, semicolons or tabs. Decimal commas become points. What 1,234 or
    1.234 means follows from the other numbers in its column, else in the table; where these do not
    settle it, the cell is `Unclear`. `decimal`, a comma or a point, says it for the whole table; a
    column that contradicts it is `Unclear` where it could be misread.
    """
    import pandas as pd

    if isinstance(source, pd.DataFrame):
        frame = source.copy()
        frame.index = range(2, len(frame) + 2)  # type: ignore[assignment]
        return _with_points(frame, decimal)
    path = Path(source)
    excel = path.suffix.lower() in (".xlsx", ".xlsm")
    if sheet is not None and not excel:
        raise InvalidInput("sheet", sheet, "Only an Excel file has sheets: leave it out.")
    if not path.is_file():
        raise InvalidInput("file", str(path), "There is no such file.")
    try:
        match path.suffix.lower():
            case ".csv" | ".txt" | ".tsv":
                return _text_table(path, decimal)
            case ".xlsx" | ".xlsm":
                return _with_points(_workbook(path, sheet), decimal)
            case ".parquet":
                frame = pd.read_parquet(path)
                frame.index = range(2, len(frame) + 2)  # type: ignore[assignment]
                return frame
    except ImportError:
        raise InvalidInput(
            "file", str(path), f"Excel files need openpyxl: {install('excel')}."
        ) from None
    except InvalidInput:
        raise
    except (ValueError, OSError, csv.Error, BadZipFile) as error:
        raise InvalidInput("file", str(path), f"It cannot be read: {error}.") from None
    raise InvalidInput("file", str(path), "Use a name that ends in .csv, .xlsx or .parquet.")


def typed_spreadsheet(path: Path) -> "pd.DataFrame":
    """A file whose columns are numbers where all their cells are."""
    import pandas as pd

    frame = read_spreadsheet(path)
    for name, column in frame.items():
        for row, cell in column.items():
            if isinstance(cell, Unclear) and are_numbers(column):
                raise InvalidInput(f"row {row}, column {name!r}", str(cell), EITHER)
    if path.suffix.lower() in _TEXT:
        text = frame.to_csv(index=False)
        return _read(lambda **options: pd.read_csv(io.StringIO(text), **options))
    return frame


def decoded(data: bytes) -> str:
    """Text as spreadsheets save it: in UTF-8, in UTF-16 ("Unicode text"), else as Windows does."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252")


def _text_table(path: Path, decimal: str | None) -> "pd.DataFrame":
    import pandas as pd

    text = decoded(path.read_bytes())
    heading, _, rest = text.partition("\n")
    said = _SEPARATOR.fullmatch(heading)
    if said:  # Excel does not show that row
        text = rest
    separator = said[1] if said else max(",;\t", key=heading.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    rows = {number: line for number, line in enumerate(reader, 1) if any(map(str.strip, line))}
    if not rows:
        return pd.DataFrame()
    names = _without_margin(rows.pop(min(rows)))
    for number, line in rows.items():
        kept = line if len(line) <= len(names) else _without_margin(line)
        if len(kept) > len(names) or len(line) < len(names):
            raise InvalidInput(f"row {number}", line, f"Give {len(names)} cells, as in row 1.")
        rows[number] = line[: len(names)]
    frame = pd.DataFrame(list(rows.values()), list(rows), names, dtype=object)
    return _with_points(frame, decimal, everywhere=separator != ",")


def _without_margin(cells: list[str]) -> list[str]:
    """Without the empty cells at the end that spreadsheets add."""
    count = len(cells)
    while count and not cells[count - 1].strip():
        count -= 1
    return cells[:count]


def _workbook(path: Path, sheet: str | None) -> "pd.DataFrame":
    import pandas as pd

    with pd.ExcelFile(path) as book:
        if sheet is not None and sheet not in book.sheet_names:
            raise InvalidInput("sheet", sheet, one_of(sheet, [str(s) for s in book.sheet_names]))
        which = 0 if sheet is None else sheet
        frame = _read(lambda **options: pd.read_excel(book, sheet_name=which, **options))
    frame.index = frame.index + 2
    return frame.dropna(how="all")


def _read(read: Callable[..., "pd.DataFrame"]) -> "pd.DataFrame":
    """A table in which NA and None mean that a number is missing, and are themselves in a text."""
    import pandas as pd

    found, literal = read(), read(keep_default_na=False, na_values=[""])
    for place, (_, column) in enumerate(list(found.items())):
        if pd.api.types.is_object_dtype(column) or pd.api.types.is_string_dtype(column):
            found.isetitem(place, literal.iloc[:, place].array)
    return found


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
