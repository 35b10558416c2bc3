"""The rooms of the package import one way: the order is the one that docs/design.md documents."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "counsel"
LEAVES = {"worlds", "experiments", "demo", "cli"}


def documented() -> list[str]:
    table = (ROOT / "docs" / "design.md").read_text(encoding="utf-8").split("## Rooms")[1]
    return re.findall(r"^\| `([a-z_]+)/?` \|", table.split("\n## ")[0], re.MULTILINE)


def imports() -> list[tuple[str, str, str]]:
    """(importing room, imported room, where), wherever in a file the import stands."""
    found = []
    for file in sorted(SOURCE.rglob("*.py")):
        inside = file.relative_to(SOURCE)
        room = inside.parts[0].removesuffix(".py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = []
            if isinstance(node, ast.ImportFrom) and node.module is not None:
                assert node.level == 0, f"{inside}:{node.lineno}: a relative import"
                names = [f"{node.module}.{alias.name}" for alias in node.names]
            elif isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            for name in names:
                parts = name.split(".")
                if parts[0] == "counsel" and len(parts) > 1:
                    found.append((room, parts[1], f"{inside}:{node.lineno}"))
    return found


def test_every_room_is_documented() -> None:
    there = {
        each.name.removesuffix(".py")
        for each in SOURCE.iterdir()
        if each.suffix == ".py" or (each / "__init__.py").exists()
    }
    assert there - {"__init__"} == set(documented())


def test_imports_point_up() -> None:
    order = {room: place for place, room in enumerate(documented())}
    against = [
        f"{where}: {room} imports {other}"
        for room, other, where in imports()
        # The front door hands out everything, on use; a package's version is not a room.
        if room != "__init__" and other in order and order[other] > order[room]
    ]
    assert against == []


def test_worlds_and_experiments_are_leaves() -> None:
    users = {room for room, other, _ in imports() if other in ("worlds", "experiments")}
    assert users <= LEAVES
