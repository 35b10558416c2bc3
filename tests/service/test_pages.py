"""The pages in a real browser: what a person sees, clicks and types."""

import re
import statistics
import time
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

import counsel as cs
from counsel.service.security.tokens import Tokens
from counsel.service.web import words
from service.browser import LONGEST, person, service

pytestmark = pytest.mark.xdist_group("more pages")
expect.set_options(timeout=LONGEST)


DEMONSTRATED = ("exosuit", "driving comfort", "hot sensor")


def ask(page: Page, study: str) -> str:
    page.goto(f"/studies/{study}")
    if study not in DEMONSTRATED:  # a demonstration begins with a proposal
        page.get_by_role("button", name="Ask for a proposal").click()
    values = page.locator("#proposal-values")
    expect(values).to_be_visible()
    if study in DEMONSTRATED:
        expect(page.locator("#activity")).to_contain_text("Last trials")
        if page.locator("#tour").is_visible():  # whoever has begun is not guided
            page.get_by_role("button", name="Skip the tour").click()
    return values.inner_text()


def slide(page: Page, moves: int) -> list[float]:
    """Drag the first slider about; how many seconds each new prediction took."""
    belief, slider = page.locator("#mine-prediction"), page.locator("#mine .q-slider").first
    slider.hover()  # once the page no longer moves
    page.mouse.down()
    box = slider.bounding_box()
    assert box is not None
    seconds = []
    for i in range(moves):
        before = belief.inner_text()
        began = time.perf_counter()
        page.mouse.move(
            box["x"] + (0.2 + 0.5 * (i % 2) + 0.01 * i) * box["width"], box["y"] + box["height"] / 2
        )
        page.wait_for_function(
            "text => document.querySelector('#mine-prediction').innerText !== text",
            arg=before,
            polling=5,
        )
        seconds.append(time.perf_counter() - began)
    page.mouse.up()
    return seconds


def test_override_with_sliders_and_keys(page: Page) -> None:
    """The what-if follows the slider; the key M tries it; a figure is seen for each."""
    ask(page, "large")
    expect(page.locator("#mine-prediction")).to_contain_text("payoff:")
    expect(page.locator("#mine-difference")).to_have_text("This is the proposal.")
    expect(page.locator("#reasons .js-plotly-plot .bars")).not_to_have_count(0)
    slide(page, 3)
    expect(page.locator("#mine-difference")).to_contain_text("against the proposal")
    tried = page.get_by_label("a", exact=True).last.input_value()
    page.locator("h1, [role=heading]").first.click()
    page.keyboard.press("m")
    expect(page.locator("#measure")).to_contain_text(f"ann decided to try a {tried[:3]}")
    page.get_by_role("button", name="Take the decision back").click()
    expect(page.locator("#proposal")).to_be_visible()


@pytest.mark.slow
@pytest.mark.alone
def test_how_long_a_person_waits(browser: Browser, pages_url: str) -> None:
    """Printed; on an idle machine within docs/service.md's limits, here within a busy one's."""
    with (
        person(browser, pages_url, name="ann") as ann,
        person(browser, pages_url, name="ben") as ben,
    ):
        with cs.Client(pages_url) as client:
            client.load_study("large").ask()
        opened = []
        for _ in range(4):
            began = time.perf_counter()
            ann.goto("/studies/large")
            expect(ann.locator("#mine-difference")).to_have_text("This is the proposal.")
            expect(ann.get_by_role("button", name="Accept")).to_be_enabled()
            opened.append(time.perf_counter() - began)
        print("\ndecide usable after ms:", [round(1000 * s) for s in opened[1:]])
        moved = slide(ann, 20)
        print("what-if, median ms:", round(1000 * statistics.median(moved)))
        ben.goto("/studies/large")
        expect(ben.locator("#mine-difference")).to_have_text("This is the proposal.")
        expect(ben.locator("#reasons .main-svg").first).to_be_visible()  # it is loaded
        # By the pages' own clocks: looking from here is too coarse.
        ann.evaluate("addEventListener('click', () => window.clicked = Date.now(), true)")
        ben.evaluate(
            """new MutationObserver(() => {
                const text = document.querySelector('#measure')?.innerText ?? '';
                if (text.includes('ann decided to try')) window.seen ??= Date.now();
            }).observe(document.body, {childList: true, subtree: true, characterData: true})"""
        )
        ann.get_by_role("button", name="Accept").click()
        expect(ben.locator("#measure")).to_contain_text("ann decided to try")
        seen = (ben.evaluate("window.seen") - ann.evaluate("window.clicked")) / 1000
        print("seen by the other after ms:", round(1000 * seen))
        assert statistics.median(opened[1:]) < 6.0
        assert statistics.median(moved) < 1.0
        assert seen < 1.0
        ann.get_by_role("button", name="Take the decision back").click()
        expect(ann.get_by_role("button", name="Reject")).to_be_visible()
        ann.get_by_role("button", name="Reject").click()
        expect(ann.get_by_role("button", name="Ask for a proposal")).to_be_visible()


def test_a_click_is_not_lost_when_the_page_changes_at_that_moment(
    browser: Browser, pages_url: str
) -> None:
    """While Ann presses Accept, Ben asks for one more: her button stays, and the click counts."""
    with person(browser, pages_url, name="ann") as ann, cs.Client(pages_url) as client:
        study = client.load_study("pressed")
        first = study.ask()
        ann.goto("/studies/pressed")
        expect(ann.locator("#reasons .main-svg").first).to_be_visible()
        ann.get_by_role("button", name="Accept").hover()
        ann.mouse.down()
        study.ask()
        expect(ann.get_by_role("button", name="Proposal p2")).to_be_visible()
        ann.mouse.up()
        expect(ann.get_by_role("button", name="Take the decision back")).to_be_visible()
        (decision,) = study.decisions
        assert (decision.proposal, decision.actor) == (first.id, "ann")


def test_the_buttons_stay_where_they_are_when_reasons_come(
    browser: Browser, pages_url: str
) -> None:
    with person(browser, pages_url) as page, cs.Client(pages_url) as client:
        client.load_study("moved").ask()
        page.add_init_script(
            """new MutationObserver(() => {
                const found = document.querySelector('[aria-label="Accept"]');
                if (found) window.first ??= found.getBoundingClientRect().top + scrollY;
            }).observe(document, {childList: true, subtree: true})"""
        )
        page.goto("/studies/moved")
        expect(page.locator("#reasons .main-svg").first).to_be_visible()
        page.wait_for_timeout(500)
        top = page.evaluate(
            """() => document.querySelector('[aria-label="Accept"]')
                .getBoundingClientRect().top + scrollY"""
        )
        line = 24  # pixels: the sentence may have one line more than its stand-in
        assert abs(top - page.evaluate("window.first")) <= 2 * line


def test_reject_with_a_reason(page: Page) -> None:
    first = ask(page, "reasons")
    page.get_by_label("Reason (optional)").fill("that one hurts")
    page.get_by_role("button", name="Reject").click()
    page.get_by_role("button", name="Ask for a proposal").click()
    expect(page.locator("#proposal-values")).not_to_have_text(first)
    page.goto("/studies/reasons/history")
    expect(page.get_by_role("cell", name="rejected p1")).to_be_visible()
    expect(page.get_by_role("cell", name="that one hurts")).to_be_visible()


def test_answer_just_what_is_asked(page: Page, pages_storage: str) -> None:
    """The form shows what is asked, the rest is folded away; what is not given is not measured."""
    ask(page, "driving comfort")
    proposal = cs.load_study("driving comfort", pages_storage).pending[0]
    assert 0 < len(proposal.asks) < 8
    holds = page.locator("#proposal").get_by_role("group", name="Chance that each constraint holds")
    expect(holds).to_contain_text(re.compile(r"holds: [<> ]*\d+%"))
    assert holds.get_by_text("asked").count() == len(proposal.asks)
    for name in proposal.asks:  # why it is asked, and how likely it holds
        expect(holds).to_contain_text(words.asked(proposal.chances[name]))
    both = page.locator("#animation")  # open, with mine over it where that is another way
    expect(both.locator(".legendtext", has_text="the other car")).to_be_visible()
    expect(both.locator(".legendtext", has_text="mine")).to_have_count(0)
    proposed = page.locator("#proposal-values").inner_text()
    page.locator("#mine").get_by_label("Candidate").click()
    page.get_by_role("option").filter(has_not_text=proposed).first.click()
    expect(both.locator(".legendtext", has_text="mine")).to_be_visible()
    page.get_by_role("button", name="Back to the proposal").click()
    page.get_by_role("button", name="Accept").click()
    form = page.locator("#measure")
    form.get_by_label("progress", exact=True).fill("-0.4")
    for name in ("pace", "side", "lane keeping", "heading", "smoothness", "road edge"):
        expect(form.get_by_label(name, exact=True)).to_be_visible(visible=name in proposal.asks)
    for name in proposal.asks:
        expect(form).to_contain_text(f"Asked: {words.asked(proposal.chances[name])}")
        form.get_by_label(name, exact=True).fill("0.3")
    page.get_by_role("button", name="Tell the machine").click()
    expect(page.locator("#status")).to_contain_text("5 trials")
    told = cs.load_study("driving comfort", pages_storage).observations[-1]
    assert dict(told.outcomes) == {"progress": -0.4, **dict.fromkeys(proposal.asks, 0.3)}
    page.get_by_role("button", name="Ask for a proposal").click()
    page.get_by_role("button", name="Accept").click()
    page.get_by_role("button", name="Simulate").click()
    expect(page.locator("#status")).to_contain_text("6 trials")
    page.get_by_role("link", name="Insights").click()
    expect(page.get_by_text("What is known to be safe, trial by trial")).to_be_visible()
    safe = cs.load_study("driving comfort", pages_storage).safe_set()
    listed = page.locator("#safe-set")
    expect(listed).to_contain_text(f"of {safe.considered} points looked at")
    assert listed.locator("tbody tr").count() == len(safe.points) > 0
    titles = listed.locator("th").all_inner_texts()
    assert titles == ["point", "chance", *safe.points[0].lower, "trials"]


def test_reasons_of_a_person_and_what_overriding_gained(page: Page, pages_storage: str) -> None:
    ask(page, "exosuit")
    # Asked for by the command, by the service and by the page: there is one.
    assert [each.id for each in cs.load_study("exosuit", pages_storage).pending] == ["p1"]
    page.get_by_label("lifting", exact=True).last.fill("45")
    expect(page.locator("#mine-difference")).to_contain_text("against the proposal")
    page.get_by_role("button", name="Use mine").click()
    page.get_by_role("button", name="Simulate").click()
    page.get_by_role("button", name="Ask for a proposal").click()
    reasons = page.locator("#alignment")
    expect(reasons).to_contain_text(re.compile("past choices were"))
    expect(reasons.locator(".js-plotly-plot .bars")).not_to_have_count(0)
    page.get_by_role("link", name="Insights").click()
    gained = page.locator(".js-plotly-plot", has_text="What overriding gained or cost")
    expect(gained).to_contain_text("ann (1)")


def test_revise_withdraw_and_export(page: Page, pages_url: str) -> None:
    page.goto("/studies/corrected/history")
    page.get_by_role("button", name="Revise o2").hover()
    page.mouse.down()
    with cs.Client(pages_url) as client:
        client.load_study("corrected").comment("o1", "looked at twice", actor="ben")
    # A row more, and every button drawn anew, under the finger.
    expect(page.get_by_role("cell", name="looked at twice")).to_be_visible()
    page.mouse.up()
    expect(page.get_by_text("Correct o2")).to_be_visible()
    page.get_by_label("objective", exact=True).fill("12")
    page.get_by_label("Why").fill("a slip")
    page.get_by_role("button", name="Save correction").click()
    expect(page.get_by_role("cell", name="corrected o2 to objective 12")).to_be_visible()
    page.get_by_role("button", name="Withdraw o3").click()
    page.get_by_role("button", name="Withdraw it").click()
    expect(page.get_by_role("cell", name="withdrew o3")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="Export JSON").click()
    assert "a slip" in download.value.path().read_text()
    with page.expect_download() as download:
        page.get_by_role("button", name="Trials as CSV").click()
    heading, first, *_ = download.value.path().read_text().splitlines()
    columns = heading.split(",")
    assert {"x", "objective", "actor"} <= set(columns)
    assert len(columns) < 12  # what a person wants in a spreadsheet, not every field of a fact
    assert first.split(",")[columns.index("objective")] == "-9.0"
    page.goto("/studies/corrected")
    expect(page.locator("#status")).to_contain_text("2 trials. Best objective so far: 12")


def test_two_people_at_once(browser: Browser, pages_url: str) -> None:
    with (
        person(browser, pages_url, name="ann") as ann,
        person(browser, pages_url, name="ben") as ben,
    ):
        ben.goto("/studies/two")
        expect(ben.get_by_role("button", name="Ask for a proposal")).to_be_visible()
        values = ask(ann, "two")
        expect(ben.locator("#proposal-values")).to_have_text(values)
        expect(ben.locator("#present")).to_have_text("Also here: ann.")
        ann.get_by_role("button", name="Accept").click()
        expect(ben.locator("#measure")).to_contain_text("ann decided to try")
        with cs.Client(pages_url) as client:  # and what comes over REST
            client.load_study("two").tell("p1", 1.0, actor="cid")
        for each in (ann, ben):
            expect(each.locator("#status")).to_contain_text("4 trials")


def test_what_another_program_writes_is_seen(page: Page, pages_storage: str) -> None:
    page.goto("/studies/narrow")
    expect(page.locator("#status")).to_contain_text("3 trials")
    cs.load_study("narrow", pages_storage).tell({"x": 4.0}, 0.5)
    expect(page.locator("#status")).to_contain_text("4 trials. Best objective so far: 0.5")


# What can be pressed or filled in has a name that is read out.
_NAMELESS = """[...document.querySelectorAll('button, a, input, [role=slider], svg[role=img]')]
  .filter(e => e.checkVisibility() && !e.closest('.js-plotly-plot'))
  .filter(e => !(e.getAttribute('aria-label') || e.innerText?.trim() || e.labels?.length))
  .map(e => e.outerHTML.slice(0, 200))"""


@pytest.mark.parametrize("width", [390, 1400])
def test_pages_fit_their_screen(browser: Browser, pages_url: str, width: int) -> None:
    with person(browser, pages_url, width) as page:
        study = "/studies/large"
        for path in ("/", "/new", study, f"{study}/insights", f"{study}/history", "/arm"):
            page.goto(path)
            expect(page.locator("header")).to_be_visible()
            page.wait_for_load_state("networkidle")
            # Figures take a moment to follow.
            page.wait_for_function(
                "width => document.documentElement.scrollWidth <= width", arg=width
            )
            assert page.evaluate(_NAMELESS) == [], path


def test_an_unknown_study_is_said_so(page: Page) -> None:
    page.goto("/studies/none")
    expect(page.get_by_text("There is no study 'none'")).to_be_visible()


def test_a_button_that_moves_under_a_slow_hand_is_pressed(page: Page) -> None:
    """As when reasons come late above it; whoever moves the hand away has thought better of it."""
    page.goto("/")
    button = page.get_by_role("button", name="New study")
    for away in (-200, 0):  # beyond the button, wherever it is
        button.hover()
        box = button.bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.down()
        page.evaluate(
            """() => document.querySelector('.page').prepend(
                Object.assign(document.createElement('div'), {style: 'height:150px'}))"""
        )
        page.mouse.move(x + away, y)
        page.mouse.up()
    expect(page).to_have_url(re.compile("/new$"))


def test_dark_mode_stays(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="Light or dark").click()
    expect(page.locator("body.body--dark")).to_be_visible()
    page.goto("/new")
    expect(page.locator("body.body--dark")).to_be_visible()


def test_tokens_sessions_and_their_end(
    browser: Browser, pages_storage: str, tmp_path: Path
) -> None:
    tokens = Tokens(pages_storage)
    look, viewer = tokens.create("vera", "viewer")
    _, expired = tokens.create("old", "owner", days=1e-9)
    with (
        service("serve", "--tokens", "--storage", pages_storage, folder=tmp_path) as address,
        person(browser, address) as page,
    ):
        page.goto("/studies/large")
        page.get_by_label("Your token").fill(expired)
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("alert")).to_contain_text("unknown, expired or revoked")
        page.get_by_label("Your token").fill(viewer)
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_text("vera (viewer)")).to_be_visible()
        expect(page.get_by_role("button", name="Accept")).to_have_count(0)
        page.goto("/new")
        expect(page.get_by_text("Only an owner's token")).to_be_visible()
        tokens.revoke(look.id)
        page.wait_for_timeout(2500)  # as long as a token is trusted without another look
        page.goto("/studies/large")
        expect(page.get_by_label("Your token")).to_be_visible()
    tokens.close()
