"""The service: studies over HTTP, and pages where people and the machine decide together.

api/         the REST interface, /api/v1: routes, requests, errors as problem+json
runtime/     open studies, the process that computes, metrics
security/    tokens, sessions, roles, limits around every request
web/         the pages
extension.py what a demonstration adds: simulated worlds and pages
app.py       all of it put together
serving.py   serves an app on an address

Needs the extra `server`.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from counsel.service.app import create_app
    from counsel.service.security.tokens import Tokens

__all__ = ["Tokens", "create_app"]


def __getattr__(name: str) -> object:
    if name == "create_app":
        from counsel.service.app import create_app

        return create_app
    if name == "Tokens":
        from counsel.service.security.tokens import Tokens

        return Tokens
    raise AttributeError(f"module 'counsel.service' has no attribute {name!r}")
