"""Examples in docstrings are tests; only modules that have some are imported for them."""

from pathlib import Path

SOURCES = Path(__file__).resolve().parent / "src"


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    if collection_path.suffix == ".py" and SOURCES in collection_path.parents:
        return ">>>" not in collection_path.read_text(encoding="utf-8") or None
    return None
