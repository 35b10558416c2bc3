"""The reference lists every public name: it is written from the package when the site is built."""

from typing import Any

import counsel

_FIRST = ("create_study", "load_study", "list_studies", "delete_study", "Study", "Client")


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Put a directive for each public name in the place of the mark."""
    if page.file.src_uri != "reference.md":
        return markdown
    homes: dict[str, str] = counsel._HOMES
    named = [*_FIRST, *(name for name in homes if name not in _FIRST)]
    listed = "\n\n".join(f"::: counsel.{homes[name]}.{name}" for name in named)
    return markdown.replace("<!-- every public name -->", listed)
