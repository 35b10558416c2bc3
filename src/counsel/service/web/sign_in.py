"""The sign-in page: a plain form for a token, which works without scripts.

The cookie is signed and names a session, which ends with signing out (security/sessions.py). A form
on another site cannot sign anybody in: the middleware refuses its origin.
"""

import html
from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from counsel.service.web.style import FONT, MARK

__all__ = ["router"]

router = APIRouter(include_in_schema=False)
_PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8">
<title>Sign in · Counsel</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>
:root {{ color-scheme: light dark; --ground: #f4f6f8; --surface: #fff; --ink: #15202b;
  --faint: #55626e; --line: #dde3e8; --wrong: #b3261e; }}
@media (prefers-color-scheme: dark) {{ :root {{ --ground: #0f1519; --surface: #182027;
  --ink: #e8edf1; --faint: #a6b3bd; --line: #2d3841; --wrong: #ff8f6b; }} }}
body {{ font: 15px/1.5 {font}; display: grid; place-items: center; min-height: 90vh; margin: 0;
  background: var(--ground); color: var(--ink); }}
main {{ box-sizing: border-box; width: min(24rem, 92vw); padding: 28px;
  border: 1px solid var(--line); border-radius: 14px; background: var(--surface); }}
form {{ display: grid; gap: .6rem; }} svg {{ width: 40px; height: 40px; }}
h1 {{ font-size: 1.5rem; letter-spacing: -.02em; margin: 8px 0 0; }} p {{ margin: 0; }}
label {{ font-weight: 600; margin-top: .8rem; }} .faint {{ color: var(--faint); }}
input, button {{ font: inherit; padding: .6rem; border-radius: 9px; border: 1px solid #8a949c; }}
button {{ background: #0069a6; color: white; border: 0; font-weight: 600; }}
.error {{ color: var(--wrong); font-weight: 600; }} .error:empty {{ display: none; }}
</style></head><body><main><form method="post" action="/sign-in">
{mark}<h1>Counsel</h1><p class="faint">It proposes what to try next, says why, and takes your
counsel.</p><label for="token">Your token</label>
<input id="token" name="token" type="password" autocomplete="current-password" required autofocus>
<input type="hidden" name="next" value="{next}"><p class="error" role="alert">{error}</p>
<button>Sign in</button><p class="faint">Ask the operator of this service for a token; it starts
with <code>counsel_</code>.</p></form></main></body></html>"""


def _page(next: str, error: str = "") -> str:
    mark = MARK.replace("<svg ", "<svg aria-hidden='true' ")
    return _PAGE.format(next=html.escape(_inside(next)), error=error, font=FONT, mark=mark)


@router.get("/sign-in")
async def form(next: Annotated[str, Query(max_length=500)] = "/") -> HTMLResponse:
    return HTMLResponse(_page(next))


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
        return HTMLResponse(_page(next, error), status_code=401)
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
