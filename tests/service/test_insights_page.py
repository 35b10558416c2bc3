"""Insights in a real browser: figures that fit, and very many candidates."""

import numpy as np
import pytest
from playwright.sync_api import Page, expect

import counsel as cs
from service.browser import LONGEST, accessible

pytestmark = pytest.mark.xdist_group("pages")
expect.set_options(timeout=LONGEST)


def test_insights_show_figures(page: Page) -> None:
    page.goto("/studies/reasons/insights")
    expect(page.locator(".js-plotly-plot .main-svg").first).to_be_visible()
    expect(page.get_by_text("Objective, trial by trial")).to_be_visible()
    # A title that was wrapped while the page was narrow is whole again on a wide one.
    wrapped = """some => some === [...document.querySelectorAll('.js-plotly-plot')].some(
        plot => Boolean(plot.layout?.title?.text?.includes('<br>')))"""
    for width, some in ((220, True), (1300, False)):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_function(wrapped, arg=some)


def test_insights_of_twenty_thousand_candidates(page: Page, pages_storage: str) -> None:
    table = np.random.default_rng(0).uniform(size=(20_000, 3))
    arms = cs.Arms(table, names=["a", "b", "c"])
    study = cs.create_study(arms, name="very many", objective="payoff", storage=pages_storage)
    for row in range(0, 20_000, 2_500):
        study.tell(arms[row], float(table[row].sum()))
    page.goto("/")
    page.get_by_label("Search").fill("very many")
    page.get_by_role("link", name="very many").click()
    page.get_by_role("button", name="Ask for a proposal").click()
    expect(page.locator("#picture")).to_contain_text("1500 of 20000 are drawn")
    page.get_by_role("link", name="Insights").click()
    expect(page.locator("#drawn")).to_be_visible()
    expect(page.get_by_text("Every 20th of 20,000 arms is drawn.")).to_be_visible()
    accessible(page)
    cs.delete_study("very many", pages_storage)
