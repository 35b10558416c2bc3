"""The service: studies over HTTP, and the pages where people and the machine meet.

pool.py       the studies on the pool, and the one thread that computes
models.py     what requests and answers look like
routes.py     the REST interface, /api/v1; with loop_routes.py and belief_routes.py
requests.py   what the routes have in common
failures.py   errors as problem+json
tokens.py     who may enter: tokens, kept hashed
access.py     who a request is from, and what that role may do
guards.py     limits, headers and logs around every request
metrics.py    counts and times for Prometheus
app.py        all of it put together
serving.py    an app on an address
ready.py      the ready studies of the demonstration, and their worlds
arm.py        studies of movements that a person made with the arm
pages/        the web pages

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
