"""Drafts: what a person has typed and not sent, kept by their browser.

A reload, a restart of the service or another person's action must not lose it. The browser writes
what is typed into its own storage at once, without asking the service.
"""

import json

from nicegui import ui

__all__ = ["Drafts"]


class Drafts:
    """The drafts of one study in one browser, by name."""

    def __init__(self, study: str) -> None:
        self._start = f"counsel/{study}/"

    def watch(self, field: ui.input, name: str) -> None:
        """Keep what is typed into a field."""
        key = json.dumps(self._start + name)
        field.on("update:model-value", js_handler=f"value => localStorage.setItem({key}, value)")

    def keep(self, name: str, text: str) -> None:
        key = json.dumps(self._start + name)
        ui.run_javascript(f"localStorage.setItem({key}, {json.dumps(text)})")

    def forget(self, start: str) -> None:
        """Drop every draft whose name begins so: it was sent."""
        key = json.dumps(self._start + start)
        ui.run_javascript(
            f"Object.keys(localStorage).filter(key => key.startsWith({key}))"
            ".forEach(key => localStorage.removeItem(key))"
        )

    async def kept(self) -> dict[str, str]:
        """All drafts of the study."""
        start = json.dumps(self._start)
        try:
            found = await ui.run_javascript(
                f"return Object.fromEntries(Object.entries(localStorage)"
                f".filter(([key]) => key.startsWith({start}))"
                f".map(([key, value]) => [key.slice({start}.length), value]))",
                timeout=10.0,
            )
        except TimeoutError:  # the browser has left, or is too busy: the drafts stay with it
            return {}
        return {str(name): str(text) for name, text in dict(found or {}).items()}
