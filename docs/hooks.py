"""The reference lists every public name: it is written from the package when the site is built."""

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import counsel
from counsel.acquisition.registry import acquisitions
from counsel.policies.registry import policies
from counsel.worlds.registry import worlds

_FIRST = ("create_study", "load_study", "list_studies", "delete_study", "Study", "Client")
_REGISTRIES = {"policies": policies, "acquisition": acquisitions, "worlds": worlds}
_MARK = re.compile(r"<!-- every name of counsel\.(\w+) -->")
# What adapters share, and what the server for agents is made of.
_INSIDE = ("__init__", "agent_tools", "suggesting")


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Put a directive for each public name in the place of its mark."""
    if page.file.src_uri != "reference.md":
        return markdown
    homes: dict[str, str] = counsel._HOMES
    named = [*_FIRST, *(name for name in homes if name not in _FIRST)]
    above = [f"counsel.{homes[name]}.{name}" for name in named]
    markdown = markdown.replace(
        "<!-- every public name -->", "\n\n".join(f"::: {path}" for path in above)
    )

    def listed(found: re.Match[str]) -> str:
        room = found[1]
        paths = _adapters() if room == "integrations" else _names(room)
        directives = [
            f"::: {path}\n    options: {{heading_level: 4}}" for path in paths if path not in above
        ]
        return "\n\n".join([*_table(room), *directives])

    return _MARK.sub(listed, markdown)


def _names(room: str) -> Iterator[str]:
    """Where the names of a module are defined: those it lists, and the classes it registers."""
    module = importlib.import_module(f"counsel.{room}")
    registered = {} if room not in ("policies", "acquisition") else _REGISTRIES[room].public()
    classes = [name for name, each in registered.items() if isinstance(each, type)]
    for name in [*module.__all__, *classes]:
        home = getattr(module, name).__module__
        yield f"{home if home.startswith('counsel.') else f'counsel.{room}.terms'}.{name}"


def _adapters() -> Iterator[str]:
    """The names of every adapter, read without the package that it is for."""
    for file in sorted((Path(counsel.__file__).parent / "integrations").glob("*.py")):
        if file.stem in _INSIDE:
            continue
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
                for name in ast.literal_eval(node.value):
                    yield f"counsel.integrations.{file.stem}.{name}"


def _table(room: str) -> list[str]:
    """What a registry has, by the names that `create_study`, YAML and REST take."""
    if room not in _REGISTRIES:
        return []
    entries: Any = counsel.policies.entries() if room == "policies" else _REGISTRIES[room].entries()
    rows = [f"| `{each.tag}` | {each.title} | {each.sentence} |" for each in entries]
    return ["\n".join(["| name | title | what it does |", "|---|---|---|", *rows])]
