"""Which source files a compiled program was traced from.

A program depends on the module of its function, on the modules of the classes among its arguments,
and on whatever those import. Imports are found in the text, those inside functions too, so that
nothing has to be imported to know them.
"""

import hashlib
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

__all__ = ["digest_of"]

# The rooms whose code is traced. Changes to other code leave programs valid.
_NUMERICAL = (
    "acquisition",
    "constraints",
    "experiments",
    "explain",
    "models",
    "policies",
    "teams",
    "worlds",
)
_IMPORT = re.compile(
    r"^[ \t]*(?:from\s+counsel\.([\w.]+)\s+import\s+(\([^)]*\)|[^\n]*)|import\s+counsel\.([\w.]+))",
    re.MULTILINE,
)
_HOME = Path(__file__).resolve().parent.parent


def digest_of(modules: Iterable[str], home: Path = _HOME) -> str:
    """A digest of the files of some modules of this package, and of all that they import."""
    found: set[Path] = set()
    waiting = [path for name in modules for path in _files(home, name.removeprefix("counsel."))]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += _imported(home, path)
    whole = hashlib.sha256()
    for path in sorted(found):
        whole.update(f"{path.relative_to(home)} {_digest(path)}\n".encode())
    return whole.hexdigest()


@cache
def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@cache
def _imported(home: Path, path: Path) -> tuple[Path, ...]:
    found: list[Path] = []
    for source, names, module in _IMPORT.findall(path.read_text(encoding="utf-8")):
        if module:
            found += _files(home, module)
            continue
        asked = [f"{source}.{name}" for name in re.findall(r"\w+", names)]
        parts = [file for name in asked for file in _files(home, name)]
        found += parts or _files(home, source)
    return tuple(found)


@cache
def _files(home: Path, name: str) -> tuple[Path, ...]:
    """A module's file; every file of a package, which may pass on names from any of them."""
    if name.split(".")[0] not in _NUMERICAL:
        return ()
    place = home.joinpath(*name.split("."))
    if (file := place.with_suffix(".py")).is_file():
        return (file,)
    return tuple(sorted(place.glob("*.py")))
