"""The frame of every page: viewer, navigation, light or dark, and updates from others."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar
from urllib.parse import quote, unquote

from fastapi import Request
from nicegui import Client, ui

from counsel.errors import Conflict, CounselError, InvalidInput
from counsel.policies import registry as policies
from counsel.service.runtime.callers import Caller
from counsel.service.runtime.fair_queue import Abandoned
from counsel.service.runtime.study_pool import StudyPool
from counsel.service.security.access import Person, no_such_study
from counsel.service.security.authority import NotAllowed
from counsel.service.security.sessions import Sessions
from counsel.service.security.tokens import Role
from counsel.service.web import words
from counsel.service.web.style import COLOURS, STYLE
from counsel.study import NOBODY, Study

__all__ = [
    "Visit",
    "address",
    "frame",
    "kept_fresh",
    "name_taken",
    "named_dialog",
    "quietly",
    "study_page",
    "tabs",
    "visit",
]

T = TypeVar("T")
_NEWS = 0.25  # seconds between checks for changes; a check compares two numbers
_PAGES = {"Decide": "", "Compare": "/compare", "Insights": "/insights", "History": "/history"}
# A figure that is replaced while loading raises an error that helps nobody.
_QUIET = """<script>
addEventListener('unhandledrejection', event => {
  if (String(event.reason?.message ?? event.reason).startsWith('Resize must be passed'))
    event.preventDefault();
});
</script>"""
# Reasons and figures that come late move what is below them. A button that has moved away by the
# time a slow hand lets go was pressed all the same: the browser then tells only what holds both
# places. A table draws its buttons anew whenever anything on the page changes, and the browser
# tells nothing: the one that does the same (data-press) is pressed.
_STEADY = """<script>
(() => {
  let held = null;
  const still = event => Math.hypot(event.clientX - held.x, event.clientY - held.y) < 8;
  addEventListener('pointerdown', event => {
    const button = event.button === 0 && event.target.closest?.(
      'button, a, [role=tab], [role=checkbox], [role=radio], [role=switch], [role=option]');
    held = button ? {button, x: event.clientX, y: event.clientY} : null;
  }, true);
  addEventListener('pointerup', event => {
    const same = held && !held.button.isConnected && still(event) && held.button.dataset.press;
    if (same) document.querySelector(`[data-press="${CSS.escape(same)}"]`)?.click();
    setTimeout(() => { held = null; });
  }, true);
  addEventListener('click', event => {
    const moved = held && event.isTrusted && still(event) && !held.button.contains(event.target);
    const button = held?.button;
    held = null;
    if (moved) button.click();
  }, true);
})();
</script>"""
# Figures are drawn for a light or a dark ground: if the system changes, they are drawn anew. What
# was typed beside them is kept, but a dialog would be gone.
_FOLLOWING = """<script>
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
  const chosen = document.cookie.includes('counsel_dark=');
  if (chosen || document.querySelector('.q-dialog__inner')) return;
  if (document.querySelector('.js-plotly-plot')) location.reload();
});
</script>"""


@dataclass
class Visit:
    """A visit to a page: the pool, the viewer, and the window.

    The window is kept, because what a button started may end after the button is gone.
    """

    pool: StudyPool
    person: Person  # when the page was drawn; `act` checks again what a button may do
    sessions: Sessions
    session: str
    cookie_name: str
    client: Client
    dark: bool
    gone: asyncio.Event  # set when the window is closed
    study: str | None = None  # whose page it is
    present: str | None = None  # the name under which others see this person in the study
    name_field: ui.input | None = None  # where a person without a token has their name
    _introducing: asyncio.Lock = field(default_factory=asyncio.Lock)

    def may(self, role: Role) -> bool:
        """Whether to draw what needs a role; `act` checks again."""
        return self.person.may(role, self.study)

    @property
    def actor(self) -> str:
        return self.person.actor(self.cookie_name or NOBODY)

    async def allowed(self, role: Role, study: str | None = None) -> Person:
        """The viewer according to the storage now; NotAllowed if they may not do this.

        `study` is that of the page, if no other is named.
        """
        about = self.study if study is None else study
        person = await self.pool.store(self.sessions.person, self.session)
        if person is None:
            raise NotAllowed("Your session has ended. Sign in again.")
        if not person.may(role, about):
            has = person.role_in(about)
            raise NotAllowed(f"This needs the role {role!r}; your token has {has!r}.")
        return person

    async def introduce(self) -> None:
        """Ask a person for their name, once, before the first thing that is recorded under it.

        Whoever closes the question, or the page, has recorded nothing.
        """
        async with self._introducing:  # pressed twice, it is asked once
            if not self.person.named and not self.cookie_name:
                name = await self._ask_name()
                if self.gone.is_set():
                    raise asyncio.CancelledError
                if name is None:
                    raise NotAllowed("Nothing was recorded: say your name, or stay anonymous.")
                self.call(name.strip() or NOBODY)

    async def _ask_name(self) -> str | None:
        with (
            self.client,
            named_dialog("Your name") as dialog,
            ui.card().classes("w-96"),
        ):
            ui.label("What is your name?").classes("text-h6")
            ui.label("It stands beside what you decide and measure. You are asked once.").classes(
                "faint"
            )
            name = ui.input("Name").classes("w-full").props("maxlength=60 autofocus")
            name.on("keydown.enter", lambda: dialog.submit(name.value))
            with ui.row():
                ui.button("Continue", on_click=lambda: dialog.submit(name.value))
                ui.button("Stay anonymous", on_click=lambda: dialog.submit(NOBODY)).props("flat")
        answer = await dialog
        return None if answer is None else str(answer)

    def call(self, name: str) -> None:
        """Call the person so from now on; the browser remembers it."""
        self.cookie_name = name.strip()[:60]
        with self.client:
            ui.run_javascript(
                f"document.cookie = 'counsel_name=' + encodeURIComponent({json.dumps(name)})"
                " + ';path=/;max-age=31536000;samesite=strict'"
            )
            if self.name_field is not None:
                self.name_field.value = name
        if self.present is not None:
            self.appear()

    def appear(self) -> None:
        """Let others see whether this person is here, and their name.

        A page that was left may come back for a while, but nobody is before it.
        """
        here = self.client.has_socket_connection and not self.gone.is_set()
        now = self.actor if here and self.study is not None else None
        if now == self.present:
            return
        assert self.study is not None
        if self.present is not None:
            self.pool.leave(self.study, self.present)
        if now is not None:
            self.pool.arrive(self.study, now)
        self.present = now

    async def act(self, role: Role, work: Callable[..., T], *args: Any) -> T:
        """Run work that writes facts or studies; every page uses this.

        A browser can send any event of any element, drawn or not, so permission is checked here and
        not where a button is drawn.
        """
        person = await self.allowed(role)
        await self.introduce()
        return await self.pool.store(work, *args, caller=self._writer(person, self.study))

    async def act_on(self, study: str, role: Role, work: Callable[..., T], *args: Any) -> T:
        """Like `act`, on a page that lists several studies."""
        person = await self.allowed(role, study)
        return await self.pool.store(work, *args, caller=self._writer(person, study))

    async def ask(self, work: Callable[..., T], *args: Any) -> T:
        """Like `act`, for work that asks the study for proposals."""
        person = await self.allowed("participant")
        return await self.pool.ask(work, *args, caller=self._writer(person, self.study))

    async def read(self, work: Callable[..., T], *args: Any) -> T:
        """Run work that only reads facts."""
        return await self.pool.store(work, *args, caller=self._reader())

    async def believed(self, work: Callable[..., T], *args: Any) -> T:
        """Compute something to draw; stop if nobody is viewing the page any more.

        For a page without a connection nothing is begun: most were left, and whoever waits for the
        next page would wait for this one. One whose connection comes back goes on.
        """
        await self.client.connected()
        if self.client.id not in Client.instances:
            raise asyncio.CancelledError
        try:
            found = await self.pool.compute(work, *args, caller=self._reader())
        except Abandoned:
            raise asyncio.CancelledError from None
        if self.client.id not in Client.instances:
            raise asyncio.CancelledError
        return found

    def _reader(self) -> Caller:
        return Caller(self.person.token, self.study, False, self.gone.wait)

    @staticmethod
    def _writer(person: Person, study: str | None) -> Caller:
        return Caller(person.token, study, True, rule=person.rule(study))


class Opened(NamedTuple):
    """A study and its viewer."""

    here: Visit
    study: Study


async def visit(request: Request, study: str | None = None) -> Visit | None:
    """The viewer, or None after sending the browser to the sign-in page."""
    state = request.scope["counsel.app"].state
    session = str(request.scope.get("session", {}).get("id", ""))
    person = await state.pool.store(state.sessions.person, session)
    if person is None:
        ui.navigate.to(f"/sign-in?next={quote(request.url.path)}")
        return None
    name = unquote(request.cookies.get("counsel_name", ""))[:60]
    dark = request.cookies.get("counsel_dark") == "1"
    client = ui.context.client
    # Whoever has no part in the study is shown a sentence, which may stay.
    state.open_pages.enter(client, session, study if person.may("viewer", study) else None)
    gone = asyncio.Event()
    client.on_delete(gone.set)
    return Visit(state.pool, person, state.sessions, session, name, client, dark, gone, study)


def address(study: str, page: str = "") -> str:
    return f"/studies/{quote(study, safe='')}{page}"


def tabs(preferred: bool, policy: str) -> dict[str, str]:
    """The tabs of a study: Compare instead of Decide, or as well, if the policy learns from it."""
    can = policies.find(policy)
    compares = can is not None and can.learns_comparisons
    left_out = {"Decide"} if preferred else set() if compares else {"Compare"}
    return {title: page for title, page in _PAGES.items() if title not in left_out}


@contextlib.asynccontextmanager
async def study_page(request: Request, title: str, name: str) -> AsyncIterator[Opened | None]:
    """The frame of a study's page around what follows; None if there is nothing to show."""
    here = await visit(request, name)
    if here is None:
        yield None
        return
    try:
        if not here.may("viewer"):
            raise NotAllowed(no_such_study(name))
        study = await here.read(here.pool.study, name)
    except CounselError as error:
        with frame(here, request, title):
            ui.label(str(error)).classes("text-negative text-h6")
            ui.link("All studies", "/")
            yield None
        return
    # What a policy can do is known once it is imported: not on the event loop.
    ways = await here.read(tabs, study.problem.objective.preferred, study.setup.policy_name)
    with frame(here, request, title, name, ways):
        await ui.context.client.connected(timeout=60)  # the frame appears at once, beliefs follow
        if "counsel_dark" not in request.cookies:  # as the system has it
            here.dark = await _prefers_dark()
        _check_open(here)
        yield Opened(here, study)


def _check_open(here: Visit) -> None:
    """Draw nothing more for a page that was left: the framework cannot end its timers."""
    if here.client.id not in Client.instances:
        raise asyncio.CancelledError


@contextlib.contextmanager
def frame(
    here: Visit,
    request: Request,
    title: str,
    study: str | None = None,
    ways: Mapping[str, str] | None = None,
) -> Iterator[None]:
    ui.page_title(f"{title} · Counsel")
    ui.add_css(STYLE)
    ui.add_head_html(_QUIET + _STEADY + _FOLLOWING)
    ui.colors(**COLOURS)
    ui.button.default_props("no-caps unelevated")
    for kind in (ui.input, ui.textarea, ui.select):
        kind.default_props("outlined dense")
    chosen = request.cookies.get("counsel_dark")
    ui.dark_mode({"1": True, "0": False}.get(chosen or ""))
    with ui.header().classes("items-center"):
        with ui.element("nav").classes("nav row items-center").props("aria-label=Main"):
            ui.link("Counsel", "/").classes("home short" if study else "home")
            for name, page in (ways or {}).items():
                link = ui.link(name, address(study or "", page))
                if name == title:
                    link.props("aria-current=page")
        ui.space()
        _who(here)
        ui.button(icon="contrast", on_click=_turn).props(
            'flat round dense aria-label="Light or dark"'
        )
    with ui.column().classes("page"):
        if study is not None:
            ui.label(study).classes("text-h5").props('role=heading aria-level="1"')
        yield


async def _prefers_dark() -> bool:
    try:
        return bool(
            await ui.run_javascript(
                "return matchMedia('(prefers-color-scheme: dark)').matches", timeout=10.0
            )
        )
    except TimeoutError:
        return False


def _turn() -> None:
    ui.run_javascript(
        "const dark = document.body.classList.contains('body--dark');"
        "document.cookie = `counsel_dark=${dark ? 0 : 1};path=/;max-age=31536000;samesite=strict`;"
        "location.reload();"
    )


def _who(here: Visit) -> None:
    if here.person.named:
        ui.label(f"{here.person.name} ({here.person.role_in(here.study)})").classes("text-sm")
        ui.link("Sign out", "/sign-out").classes("text-sm")
        return
    name = here.name_field = ui.input(value=here.cookie_name, placeholder="your name")
    name.props('maxlength=60 aria-label="Your name"').classes("who")

    def keep() -> None:
        if (name.value or "").strip() != here.cookie_name:
            here.call(name.value or "")

    name.on("blur", keep)
    name.on("keydown.enter", keep)


def named_dialog(name: str, *, alert: bool = False) -> ui.dialog:
    """A dialog with a name that is read out; it stays when what opened it is drawn anew."""
    with ui.context.client:
        made = ui.dialog()
    made.props["aria-label"] = name
    if alert:
        made.props["role"] = "alertdialog"
    return made


@contextlib.contextmanager
def quietly() -> Iterator[None]:
    """Show Counsel's own errors to the person, who stays on the page."""
    try:
        yield
    except Conflict as error:
        ui.notify(words.conflict(error), type="warning", multi_line=True, timeout=8000)
    except CounselError as error:
        ui.notify(str(error), type="negative", multi_line=True, timeout=10000)


@contextlib.contextmanager
def name_taken(name: str | None) -> Iterator[None]:
    """Say that a study's name is taken as a form says it: nobody calls functions here."""
    try:
        yield
    except Conflict:
        raise InvalidInput(
            "name", name, "There is a study with this name: choose another."
        ) from None


async def kept_fresh(here: Visit, study: str, refresh: Callable[[], Awaitable[None]]) -> None:
    """Draw the page, and again whenever the study has changed; "" is the list of studies."""
    seen = here.pool.version(study)  # before drawing: later changes count as new
    busy = False
    if study:
        here.pool.watch(study)
        here.client.on_delete(lambda: here.pool.unwatch(study))
        here.appear()
        for happens in (here.client.on_connect, here.client.on_disconnect, here.client.on_delete):
            happens(here.appear)

    async def look() -> None:
        nonlocal seen, busy
        if busy or here.pool.version(study) == seen:
            return
        seen, busy = here.pool.version(study), True
        try:
            await refresh()
        finally:
            busy = False

    await refresh()
    _check_open(here)
    ui.timer(_NEWS, look)
