"""The list of studies and the form for a new one; every page for readers of all kinds."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

import counsel as cs
from service.browser import LONGEST, accessible, person

pytestmark = pytest.mark.xdist_group("more pages")
expect.set_options(timeout=LONGEST)

_CANDIDATES = """name,heat,solvent,yield
A-1,20,water,3.5
A-2,30,oil,
A-3,hot,water,
A-4,25,water,4
A-5,35,oil,
A-6,,oil,
A-7,NaN,water,
"""


def test_a_study_from_a_table_with_a_name_column_and_a_mistake(
    page: Page, pages_storage: str, tmp_path: Path
) -> None:
    table = tmp_path / "candidates.csv"
    table.write_text(_CANDIDATES)
    page.goto("/new")
    page.get_by_label("Name of the study").fill("solvents")
    page.get_by_label("What you measure").fill("yield")
    page.get_by_role("tab", name="Table of candidates").click()
    page.locator("#candidates-file input[type=file]").set_input_files(table)
    columns = page.locator("#columns")
    expect(columns).to_contain_text("7 candidates. What is each column?")
    expect(columns).to_contain_text("Lines 4, 7, 8: not a number.")
    accessible(page)
    page.get_by_role("button", name="Create the study").click()
    expect(page.get_by_text("Line 4: heat is “hot”, which is not a number;")).to_be_visible()
    page.get_by_role("checkbox", name="Leave out lines with mistakes").click()
    page.get_by_role("button", name="What will this be?").click()
    expect(page.locator("#summary")).to_have_text(
        "solvents: find yield as high as possible, among 4 candidates, 2 of them measured already."
    )
    page.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Create the study").click()
    expect(page.locator("#status")).to_contain_text("2 trials. Best yield so far: 4")
    made = cs.load_study("solvents", pages_storage).problem.space
    assert isinstance(made, cs.Arms)
    assert made.label == "name"
    assert made.names == ("heat", "solvent")  # nothing is learned from a name
    page.goto("/new")  # the same name again: a sentence without functions to call
    page.get_by_label("Name of the study").fill("solvents")
    page.get_by_label("Name", exact=True).fill("x")
    page.get_by_role("button", name="Create the study").click()
    expect(page.get_by_text("There is a study with this name: choose another.")).to_be_visible()


def test_a_form_with_all_its_parts_makes_the_study_and_takes_earlier_results(
    page: Page, pages_storage: str, tmp_path: Path
) -> None:
    table = tmp_path / "earlier.csv"
    table.write_text("rate;heat;speed\n0,01;20;1,5\n0,1;30;2,5\n")
    page.goto("/new")
    page.get_by_label("Name of the study").fill("earlier")
    page.get_by_label("What you measure").fill("speed")
    page.get_by_label("Name", exact=True).fill("rate")
    page.get_by_label("From", exact=True).fill("0,001")
    page.get_by_role("checkbox", name="by its logarithm").click()
    page.get_by_role("button", name="Add a parameter").click()
    expect(page.get_by_label("To", exact=True)).to_have_count(2)  # until then the last is the first
    page.get_by_label("Name", exact=True).last.fill("heat")
    page.get_by_label("To", exact=True).last.fill("100")
    page.get_by_label("Step", exact=True).last.fill("5")
    page.get_by_label("Unit").last.fill("°C")
    page.get_by_label("What it is (optional)").last.fill("of the bath, once it is stirred")
    page.get_by_text("Constraints (optional)").click()
    page.get_by_role("button", name="Add a constraint").click()
    page.get_by_role("button", name="Remove the constraint").click()
    page.get_by_text("Earlier results (optional)").click()
    page.locator("#earlier-file input[type=file]").set_input_files(table)
    expect(page.get_by_text("earlier.csv: 2 rows")).to_be_visible()
    page.get_by_role("button", name="What will this be?").click()
    expect(page.locator("#summary")).to_contain_text("heat from 0 to 100 °C")
    expect(page.get_by_role("dialog", name="Summary")).to_contain_text("unit: °C")
    page.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Create the study").click()
    expect(page.locator("#status")).to_contain_text("2 trials. Best speed so far: 2.5")
    page.get_by_role("button", name="Ask for a proposal").click()
    expect(page.locator("#mine")).to_contain_text("100 °C")  # the end of the slider
    expect(page.locator("#mine")).to_contain_text("of the bath, once it is stirred")
    expect(page.locator("#picture .title").get_by_text("heat [°C]").first).to_be_visible()
    made = cs.load_study("earlier", pages_storage).problem
    assert made.space == cs.Space(
        rate=cs.Float(0.001, 1, log=True),
        heat=cs.Float(0, 100, step=5.0, unit="°C", description="of the bath, once it is stirred"),
    )
    assert made.constraints == ()


def test_studies_are_found_drawn_and_deleted(page: Page, pages_storage: str) -> None:
    cs.create_study(cs.Space(x=cs.Float(0, 1)), name="short-lived", storage=pages_storage)
    page.goto("/")
    expect(page.get_by_role("img", name="payoff over 100 trials, best")).to_be_visible()
    page.get_by_label("Search").fill("SHORT")
    expect(page.get_by_role("link", name="short-lived")).to_be_visible()
    expect(page.get_by_role("link", name="large")).to_be_hidden()
    page.get_by_role("button", name="More for short-lived").click()
    page.get_by_text("Delete the study").click()
    page.get_by_role("button", name="Delete it for good").click()
    expect(page.get_by_role("link", name="short-lived")).to_have_count(0)
    with pytest.raises(cs.errors.NotFound):
        cs.load_study("short-lived", pages_storage)


def test_a_study_is_put_away_and_brought_back(page: Page, pages_storage: str) -> None:
    cs.create_study(cs.Space(x=cs.Float(0, 1)), name="put away", storage=pages_storage)
    page.goto("/")
    link = page.get_by_role("link", name="put away")
    expect(link).to_be_visible()
    page.get_by_role("button", name="More for put away").click()
    page.get_by_text("Archive the study").click()
    expect(link).to_be_hidden()
    assert "put away" not in [each.name for each in cs.list_studies(pages_storage)]
    assert "put away" in [each.name for each in cs.list_studies(pages_storage, archived=True)]
    page.get_by_role("switch", name="Show 1 archived").click()
    expect(link).to_be_visible()
    page.get_by_role("button", name="More for put away").click()
    page.get_by_text("Bring it back").click()
    expect(page.get_by_role("switch", name="archived")).to_be_hidden()
    expect(link).to_be_visible()
    assert not cs.load_study("put away", pages_storage).archived
    cs.delete_study("put away", pages_storage)


_PAGES = {
    "/": "Best payoff so far",
    "/new": "What can be chosen?",
    "/studies/exosuit": "Go on or stop?",
    "/studies/driving comfort": "Go on or stop?",
    "/studies/exosuit by feel/compare": "Which do you prefer?",
    "/studies/exosuit/insights": "Comfort, trial by trial",
    "/studies/exosuit/history": "measured comfort",
    "/arm": "Press Start",
    "/sign-in": "Your token",
}


def _look(browser: Browser, pages_url: str, looks: tuple[tuple[int, str], ...]) -> None:
    for width, scheme in looks:
        with person(browser, pages_url, width, color_scheme=scheme) as page:
            for path, text in _PAGES.items():
                page.goto(path)
                expect(page.get_by_text(text).first).to_be_visible()
                if path != "/sign-in":
                    expect(page.locator(f"body.body--{scheme}")).to_be_visible()
                # Figures take a moment to follow.
                page.wait_for_function(
                    "width => document.documentElement.scrollWidth <= width", arg=width
                )
                accessible(page)


def test_axe_finds_nothing_on_any_page(browser: Browser, pages_url: str) -> None:
    """Light or dark as the system has it: nobody has to choose."""
    _look(browser, pages_url, ((390, "dark"), (1300, "light")))


@pytest.mark.slow
def test_axe_finds_nothing_on_any_page_the_other_way_round(
    browser: Browser, pages_url: str
) -> None:
    _look(browser, pages_url, ((390, "light"), (1300, "dark")))


def test_charts_follow_a_dark_system(browser: Browser, pages_url: str) -> None:
    """One that is dark, and one that becomes so in the evening."""
    paper = """opacity => { const paper = document.querySelector('.js-plotly-plot .bg');
        return paper && Number(getComputedStyle(paper).fillOpacity) === opacity }"""
    with person(browser, pages_url) as page:
        page.goto("/studies/reasons/insights")
        page.wait_for_function(paper, arg=1)
        page.emulate_media(color_scheme="dark")
        page.wait_for_function(paper, arg=0)
    with person(browser, pages_url, color_scheme="dark") as page:
        page.goto("/studies/reasons/insights")
        page.wait_for_function(paper, arg=0)
        expect(page.get_by_role("figure", name=re.compile("trial by trial")).first).to_be_visible()
