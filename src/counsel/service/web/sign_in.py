"""The sign-in page: a plain form for a token, which works without scripts.

The cookie is signed and names a session, which ends with signing out (security/sessions.py). A form
on another site cannot sign anybody in: the middleware refuses its origin.
"""

import html
from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

__all__ = ["router"]

router = APIRouter(include_in_schema=False)
_PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8">
<title>Sign in · Counsel</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>
:root {{ color-scheme: light dark; }}
@media (prefers-color-scheme: dark) {{ body {{ background: #121212; color: #e8edf1; }} }}
body {{ font-family: system-ui, sans-serif; display: grid; place-items: center; min-height: 90vh; }}
form {{ width: min(22rem, 90vw); display: grid; gap: .8rem; }}
input, button {{ font: inherit; padding: .6rem; border-radius: 6px; border: 1px solid #8a949c; }}
button {{ background: #005a8c; color: white; border: 0; }}
.error {{ color: #c2410c; font-weight: 600; }}
</style></head><body><main><form method="post" action="/sign-in">
<h1>Counsel</h1><label for="token">Your token</label>
<input id="token" name="token" type="password" autocomplete="current-password" required autofocus>
<input type="hidden" name="next" value="{next}"><p class="error" role="alert">{error}</p>
<button>Sign in</button><p>Ask the operator of this service for a token; it starts with
<code>counsel_</code>.</p></form></main></body></html>"""


@router.get("/sign-in")
async def form(next: Annotated[str, Query(max_length=500)] = "/") -> HTMLResponse:
    return HTMLResponse(_PAGE.format(next=html.escape(_inside(next)), error=""))


@router.post("/sign-in")
async def enter(
    request: Request,
    token: Annotated[str, Form(max_length=500)],
    next: Annotated[str, Form(max_length=500)] = "/",
) -> Response:
    state = request.app.state
    found = None
    if state.tokens is not None:
        found = await state.pool.store(state.tokens.check, token.strip())
    if found is None:
        error = "This token is unknown, expired or revoked. Ask for a new one."
        page = _PAGE.format(next=html.escape(_inside(next)), error=error)
        return HTMLResponse(page, status_code=401)
    request.session["id"] = state.sessions.open(found)
    return RedirectResponse(_inside(next), status_code=303)


@router.get("/sign-out")
async def leave(request: Request) -> Response:
    session = str(request.session.pop("id", ""))
    request.app.state.sessions.close(session)
    await request.app.state.open_pages.close(session)
    return RedirectResponse("/sign-in", status_code=303)


def _inside(address: str) -> str:
    """A path on this service, never another site."""
    fine = address.startswith("/") and not address.startswith(("//", "/\\"))
    return address if fine and "\n" not in address and "\r" not in address else "/"
