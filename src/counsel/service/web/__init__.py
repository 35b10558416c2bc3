"""The pages, on the same app as the REST interface. Every asset comes from this service.

open_pages.py checks the session of every event; closes pages of ended sessions
frame.py      what every page has: viewer, navigation, light or dark, updates
style.py      the look that all pages share
sign_in.py    signs in with a token
studies.py    all studies
new_study.py  creates a study, by form or from a table of candidates
form_rows.py  the rows of its form: parameters, constraints
columns.py    what the columns of a table of candidates are
decide.py     the Decide page: proposal, decision, measurement, and what came of it
decisions.py  what a person does there, and what is said of it
proposal_card.py  the proposal, its reasons, and the buttons
notices.py    notices on top of the page; the keys
waiting.py    what the Decide page reads from the facts
presence.py   other people on the Decide page
change.py     what a trial changed, as a picture
alternative.py  what a person would try instead, with beliefs while dragging
picture.py    the picture of beliefs (belief_picture.js draws it)
ranges.py     what is expected, as a bar
sliders.py    a slider with past trials and the proposal
measure.py    the form for a measurement
outcome.py    what came of a trial
activity.py   whether to go on; the last trials
drafts.py     what was typed and not sent, kept by the browser
fields.py     fields for numbers
compare.py    the Compare page: which of two a person prefers
insights.py   figures
history.py    every fact
corrections.py  dialogs that correct a measurement or take a fact back
charts.py     the small figures of the decide page
chances.py    the probability of each constraint
words.py      numbers and facts in words
"""

from collections.abc import Callable, Sequence
from typing import Any

from fastapi import FastAPI
from nicegui import ui
from starlette.middleware.sessions import SessionMiddleware

from counsel.service.extension import Page
from counsel.service.security.sessions import LONGEST
from counsel.service.web import compare, decide, history, insights, new_study, sign_in, studies
from counsel.service.web.open_pages import OpenPages
from counsel.service.web.style import MARK

__all__ = ["attach"]

# Seconds that a page has to come back when its connection is lost. After that the browser loads it
# anew, and a click at that moment is lost. The framework's 3 s are less than what a phone takes to
# change networks, or a busy machine to answer a ping.
_RECONNECT = 20.0
_registered: set[str] = set()


def attach(app: FastAPI, secret: str, more: Sequence[Page] = ()) -> None:
    """Add the pages, and `more`, to an app. They find its pool through the request."""
    app.state.open_pages = OpenPages(app.state.sessions)
    app.add_middleware(
        SessionMiddleware,
        secret_key=secret,
        session_cookie="counsel_session",
        max_age=LONGEST,
        same_site="strict",
    )
    app.include_router(sign_in.router)
    own: tuple[tuple[str, Callable[..., Any]], ...] = (
        ("/", studies.page),
        ("/new", new_study.page),
        ("/studies/{name}", decide.page),
        ("/studies/{name}/compare", compare.page),
        ("/studies/{name}/insights", insights.page),
        ("/studies/{name}/history", history.page),
    )
    for path, draw in (*own, *((page.path, page.draw) for page in more)):
        if path not in _registered:
            # The first visit may import the numerical core.
            ui.page(path, response_timeout=60.0)(draw)
            _registered.add(path)
    ui.run_with(
        app,
        title="Counsel",
        favicon=MARK,
        language="en-GB",
        dark=None,
        tailwind=False,  # frame.py has the classes that are used
        show_welcome_message=False,
        reconnect_timeout=_RECONNECT,
    )
