"""Several people on one study: names, who holds and tries what; presses that come twice."""

import time

import pytest
from playwright.sync_api import Browser, expect

import counsel as cs
from counsel.service.web import _RECONNECT
from service.browser import LONGEST, accessible, person

pytestmark = pytest.mark.xdist_group("more pages")
expect.set_options(timeout=LONGEST)


def make(storage: str, name: str) -> cs.Study:
    study = cs.create_study(cs.Space(x=cs.Float(0, 10)), name=name, storage=storage, seed=2)
    for x, value in ((1.0, -9.0), (5.0, -1.0), (9.0, -25.0)):
        study.tell({"x": x}, value)
    return study


@pytest.fixture(scope="module", autouse=True)
def left(browser: Browser, pages_url: str, pages_storage: str) -> float:
    """Somebody presses Accept, is asked for a name and leaves; the last test looks what came of
    it. The time at which they left."""
    make(pages_storage, "left behind").ask()
    with person(browser, pages_url, name="") as page:
        page.goto("/studies/left behind")
        page.get_by_role("button", name="Accept").click()
        expect(page.get_by_role("dialog", name="Your name")).to_be_visible()
    return time.monotonic()


def test_a_name_is_asked_for_once(browser: Browser, pages_url: str, pages_storage: str) -> None:
    make(pages_storage, "signed")
    with person(browser, pages_url, name="") as page:
        page.goto("/studies/signed")
        page.get_by_role("button", name="Ask for a proposal").click()  # nobody's: not asked
        page.get_by_role("button", name="Accept").click()
        asked = page.get_by_role("dialog", name="Your name")
        expect(asked).to_be_visible()
        accessible(page)
        asked.get_by_label("Name").fill("Zoë")
        asked.get_by_role("button", name="Continue").click()
        expect(page.locator("#measure")).to_contain_text("Zoë decided to try")
        expect(page.get_by_role("textbox", name="Your name")).to_have_value("Zoë")
        page.reload()
        page.get_by_label("objective", exact=True).fill("-4")
        page.get_by_role("button", name="Tell the machine").click()
        expect(page.locator("#status")).to_contain_text("4 trials.")
        expect(page.locator("#activity")).to_contain_text("as proposed by Zoë")
        expect(asked).to_have_count(0)
    assert cs.load_study("signed", pages_storage).observations[-1].actor == "Zoë"


def test_whoever_stays_anonymous_is_not_asked_again(
    browser: Browser, pages_url: str, pages_storage: str
) -> None:
    make(pages_storage, "unsigned")
    with person(browser, pages_url, name="") as page:
        page.goto("/studies/unsigned")
        page.get_by_role("button", name="Ask for a proposal").click()
        page.get_by_role("button", name="Reject").click()
        page.get_by_role("button", name="Stay anonymous").click()
        expect(page.get_by_text("No proposal is waiting")).to_be_visible()
        page.reload()
        page.get_by_role("button", name="Ask for a proposal").click()
        page.get_by_role("button", name="Reject").click()
        expect(page.get_by_text("Rejected p2")).to_be_visible()
    made = cs.load_study("unsigned", pages_storage).decisions
    assert [each.actor for each in made] == ["anonymous", "anonymous"]


def test_whoever_closes_the_question_has_recorded_nothing(
    browser: Browser, pages_url: str, pages_storage: str
) -> None:
    study = make(pages_storage, "unanswered")
    study.ask()
    with person(browser, pages_url, name="") as page:
        page.goto("/studies/unanswered")
        page.get_by_role("button", name="Accept").click()
        asked = page.get_by_role("dialog", name="Your name")
        expect(asked).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.get_by_text("Nothing was recorded: say your name")).to_be_visible()
        expect(asked).to_have_count(0)
        assert study.decisions == ()
        page.get_by_role("button", name="Accept").click()  # and is asked again
        page.get_by_role("button", name="Stay anonymous").click()
        expect(page.locator("#measure")).to_contain_text("anonymous decided to try")
    assert [each.kind for each in study.decisions] == ["accept"]


def test_whoever_is_second_is_told_what_to_press(
    browser: Browser, pages_url: str, pages_storage: str
) -> None:
    study = make(pages_storage, "second")
    first = study.ask()
    with person(browser, pages_url, name="ann") as page:
        page.goto("/studies/second")
        expect(page.locator("#expected")).to_contain_text("95%")
        page.locator("#mine").get_by_label("x", exact=True).last.fill("2.5")  # so it stays drawn
        expect(page.locator("#mine-difference")).to_contain_text("against the proposal")
        study.accept(first, actor="ben")
        expect(page.locator("#notice")).to_contain_text("ben: accepted p1")
        page.get_by_role("button", name="Use mine").click()
        said = page.locator(".q-notification")
        expect(said).to_contain_text(
            "ben accepted p1 (just now). Take that decision back to decide"
        )
        expect(page.get_by_role("button", name="Take the decision back")).to_be_visible()
        study.tell(first, -4.0, actor="ben")
        study.archive(actor="ben")
        page.get_by_role("button", name="Ask for a proposal").click()
        expect(page.get_by_text("Bring it back with ⋮ in the list of studies.")).to_be_visible()
    study.archive(False, actor="ben")  # the list of studies is shared with other tests


def test_others_see_who_holds_a_proposal_and_who_is_trying_it(
    browser: Browser, pages_url: str, pages_storage: str
) -> None:
    study = make(pages_storage, "shared")
    study.ask(2)
    with (
        person(browser, pages_url, name="ann") as ann,
        person(browser, pages_url, name="ben") as ben,
    ):
        for each in (ann, ben):
            each.goto("/studies/shared?proposal=p1")
            expect(each.locator("#expected")).to_contain_text("95%")
        ann.get_by_role("button", name="Hold it for me").click()
        expect(ann.locator("#lease")).to_contain_text("You hold p1 until")
        expect(ben.locator("#lease")).to_contain_text("ann holds p1 until")
        expect(ben.get_by_role("button", name="Hold it for me")).to_be_hidden()
        ben.get_by_role("button", name="Accept").click()
        expect(ben.get_by_text("Wait, or ask them to press")).to_be_visible()
        assert study.decisions == ()
        ann.get_by_role("button", name="Let others have it").click()
        expect(ben.locator("#lease")).to_be_hidden()
        ben.get_by_role("button", name="Proposal p2").click()
        ann.get_by_role("button", name="Accept").click()
        expect(ben.locator("#present")).to_have_text("Also here: ann. ann is trying p1.")
        ann.goto("/")
        expect(ann.get_by_text("here now: ben")).to_be_visible()
        for each in (ann, ben):
            accessible(each)


def test_pressed_twice_it_counts_once(browser: Browser, pages_url: str, pages_storage: str) -> None:
    """Accept, and what was measured, each with a double click."""
    study = make(pages_storage, "twice")
    study.ask()
    with person(browser, pages_url) as page:
        page.goto("/studies/twice")
        page.get_by_role("button", name="Accept").dblclick()
        field = page.get_by_label("objective", exact=True)
        field.fill("-3")
        expect(page.locator(".q-notification")).to_have_count(0)  # nothing was refused
        page.get_by_role("button", name="Tell the machine").dblclick()
        expect(page.locator("#status")).to_contain_text("4 trials.")
        expect(page.locator(".q-notification")).to_have_count(0)
        expect(field).to_have_count(0)  # the form is gone with what was sent
        assert [(d.kind, d.actor) for d in study.decisions] == [("accept", "ann")]
        assert len(study.observations) == 4


def test_whoever_leaves_while_asked_for_a_name_has_recorded_nothing(
    left: float, pages_storage: str
) -> None:
    """Nor when the page is given up: only then does what waits on it go on."""
    time.sleep(max(0.0, left + _RECONNECT + 3.0 - time.monotonic()))
    study = cs.load_study("left behind", pages_storage)
    assert [type(fact).__name__ for fact in study.facts if fact.id[0] != "o"] == ["Proposal"]
