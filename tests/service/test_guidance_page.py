"""What a page says beside the decision: a first round, trade-offs, grounds, figures to save."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

import counsel as cs
from counsel.facts.records import PastTrial
from service.browser import LONGEST, accessible, person

pytestmark = pytest.mark.xdist_group("pages")
expect.set_options(timeout=LONGEST)


def test_a_first_round_is_guided_and_can_be_skipped(browser: Browser, pages_url: str) -> None:
    with person(browser, pages_url, name="new") as page, cs.Client(pages_url) as client:
        study = client.load_study("hot sensor")
        assert study.decisions == ()
        page.goto("/")
        page.get_by_role("button", name="Start the first round").click()
        expect(page).to_have_url(re.compile("/studies/exosuit"))
        page.goto("/studies/hot sensor")
        tour = page.locator("#tour")
        expect(tour).to_contain_text("A first round, 1 of 4")
        expect(page.locator("#proposal.tour-here")).to_be_visible()
        assert Axe().run(page, context="#tour").response["violations"] == []
        page.reload()  # it begins again until it is over
        expect(tour).to_contain_text("1 of 4")
        tour.get_by_role("button", name="Next").click()
        expect(tour).to_contain_text("Drag the ring")
        proposed = page.locator("#proposal-values").inner_text()
        page.locator("#mine").get_by_label("Candidate").click()
        page.get_by_role("option").filter(has_not_text=proposed).first.click()
        expect(tour).to_contain_text("Now decide")
        page.get_by_role("button", name="Use mine").click()
        expect(tour).to_contain_text("Press Simulate")
        page.get_by_role("button", name="Simulate").click()
        expect(tour).to_contain_text("That was a round")
        expect(page.locator("#notice")).to_contain_text("got ")
        tour.get_by_role("button", name="Good").click()
        expect(tour).to_be_hidden()
        page.goto("/")  # nobody is invited twice
        expect(page.get_by_role("link", name="hot sensor")).to_be_visible()
        expect(page.locator("#welcome")).to_be_hidden()
        study.withdraw(study.observations[-1], actor="new")
        study.withdraw(study.decisions[-1], actor="new")
    with person(browser, pages_url, name="hasty") as page:
        page.goto("/studies/hot sensor")
        page.get_by_role("button", name="Skip the tour").click()
        expect(page.locator("#tour")).to_be_hidden()
        page.reload()
        expect(page.locator("#activity")).to_contain_text("Last trials")
        expect(page.locator("#tour")).to_be_hidden()


def test_people_say_which_of_two_outcomes_they_would_rather_have(
    page: Page, pages_storage: str
) -> None:
    study = cs.create_study(
        cs.Space(x=cs.Float(0, 10)),
        name="traded",
        objectives=[cs.Objective("yield"), cs.Objective("cost", "minimize")],
        tradeoff="comparisons",
        policy="random",
        storage=pages_storage,
    )
    study.tell_many(
        PastTrial({"x": x}, {"yield": x, "cost": x * x / 4}) for x in (1.0, 3.0, 5.0, 8.0)
    )
    page.goto("/studies/traded")
    card = page.locator("#tradeoff")
    expect(card).to_contain_text("Which of these two outcomes would you rather have?")
    assert Axe().run(page, context="#tradeoff").response["violations"] == []
    asked = card.get_by_role("button", name=re.compile("^Rather"))
    first = asked.first.get_attribute("aria-label") or ""
    before = card.inner_text()
    asked.first.click()
    expect(card).not_to_have_text(before, use_inner_text=True)  # the next pair, or none
    (answer,) = study.comparisons
    assert answer.actor == "ann"
    assert f"yield {float(answer.winner['x']):g}," in first


def test_reasons_say_what_they_rest_on(page: Page, pages_url: str) -> None:
    with cs.Client(pages_url) as client:
        study = client.load_study("map")
        if not study.pending:
            study.ask()
    page.goto("/studies/map")
    page.get_by_role("button", name="What do these reasons rest on?").click()
    grounds = page.locator("#grounds")
    expect(grounds).to_contain_text(re.compile(r"holds in \d+ of \d+ plausible fits|Of all trials"))
    expect(grounds).to_contain_text("How much further above an average point")


def test_a_figure_is_saved_in_three_forms(page: Page) -> None:
    page.goto("/studies/map/insights")
    expect(page.locator("#drawn")).to_be_visible()
    for form, begins in (("PNG", b"\x89PNG"), ("SVG", b"<svg"), ("HTML", b"<!doctype html>")):
        with page.expect_download() as download:
            page.get_by_role("button", name=f"Save as {form}: comfort, trial by trial").click()
        assert download.value.path().read_bytes().startswith(begins)
    # A button may be pressed before its figure is drawn, on a slow machine.
    with page.expect_download() as late:
        page.evaluate(
            """label => {
              const button = document.querySelector(`[aria-label="${label}"]`);
              const plot = button.closest('.q-card').querySelector('.js-plotly-plot');
              plot.classList.remove('js-plotly-plot');
              button.click();
              setTimeout(() => plot.classList.add('js-plotly-plot'), 300);
            }""",
            "Save as PNG: comfort, trial by trial",
        )
    assert late.value.path().read_bytes().startswith(b"\x89PNG")


def test_only_what_counts_is_on_the_axis_of_the_progress(page: Page, pages_storage: str) -> None:
    """And what is said of the study is true after each trial. Everything is clicked and typed."""
    cs.create_study(
        cs.Space(x=cs.Float(0, 10)),
        name="strip",
        constraints=[cs.Constraint("heat", at_most=5.0)],
        policy="random",
        storage=pages_storage,
    )
    page.goto("/studies/strip")
    status = page.locator("#status")
    expect(status).to_have_text("0 trials. Nothing has been measured yet.")
    for number, (value, heat, said) in enumerate(
        (
            ("9", "8", "1 trial. No trial is known to meet all constraints yet."),
            ("2", "1", "2 trials. Best objective so far: 2 at x"),
            ("3", "1", "3 trials. Nothing is certified safe yet. The likeliest is x "),
            ("-47", "1", "4 trials. Nothing is certified safe yet. The likeliest is x "),
        ),
        1,
    ):
        page.get_by_role("button", name="Ask for a proposal").click()
        expect(page.locator("#why")).to_have_text("Chosen at random.")
        page.get_by_role("button", name="Accept").click()
        page.get_by_label("objective", exact=True).fill(value)
        page.get_by_text("Also measured?").click()  # this policy does not ask for it
        page.get_by_label("heat", exact=True).fill(heat)
        page.get_by_role("button", name="Tell the machine").click()
        sure = page.get_by_role("button", name="It is right: record it")
        if number == 4:
            sure.click()  # far outside of everything before
        expect(status).to_contain_text(said)
    page.get_by_role("link", name="History").click()
    page.get_by_role("button", name="Withdraw o4").click()
    page.get_by_role("button", name="Withdraw it").click()
    expect(page.get_by_role("cell", name="withdrew o4")).to_be_visible()
    page.get_by_role("link", name="Insights").click()
    page.wait_for_function("document.querySelector('.js-plotly-plot')?.data?.length > 2")
    traces = page.evaluate(
        """() => [...document.querySelector('.js-plotly-plot').data].map(
            trace => ({name: trace.name, axis: trace.yaxis ?? 'y', y: [...trace.y]}))"""
    )
    by_name = {trace["name"]: trace for trace in traces}
    assert by_name["best so far"]["y"] == [2.0, 3.0, 3.0]  # 9 broke the constraint
    assert by_name["accepted"]["y"] == [2.0, 3.0]  # -47 was withdrawn
    assert by_name["accepted"]["axis"] == "y"
    assert by_name["accepted, broke a constraint"]["axis"] == "y2"
    assert by_name["accepted, not measured"]["axis"] == "y2"  # in the strip below
    accessible(page)


def test_what_was_compared_is_not_called_the_next_proposal(page: Page, pages_url: str) -> None:
    page.goto("/studies/exosuit by feel")
    for answers in (4, 5):
        page.get_by_role("button", name="Prefer this (left)").click()
        expect(page.locator("#status")).to_contain_text(f"{answers} answers")
    page.get_by_role("link", name="Insights").click()
    expect(page.locator("#drawn")).to_be_visible()
    drawn = "() => [...document.querySelectorAll('.js-plotly-plot')].every(plot => plot.data)"
    page.wait_for_function(drawn)
    names = page.evaluate(
        """() => [...document.querySelectorAll('.js-plotly-plot')].flatMap(plot =>
            [...plot.data].filter(trace => trace.mode === 'markers' && trace.x?.length)
                .map(trace => [trace.name, trace.x.length]))"""
    )
    counts = dict(names)
    assert counts["compared"] == 4  # two pairs that were proposed
    assert counts["waiting"] == 2  # the pair that is asked about
    accessible(page)
