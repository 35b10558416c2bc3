"""Compare in a real browser: pairs, keys, and what still waits to be measured."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

import counsel as cs
from service.browser import LONGEST, person

pytestmark = pytest.mark.xdist_group("pages")
expect.set_options(timeout=LONGEST)


def test_compare_with_buttons_and_keys(page: Page, pages_storage: str) -> None:
    """Two side by side; a click or a key answers, and the next pair follows."""
    page.goto("/")
    page.get_by_role("link", name="liked").click()
    expect(page).to_have_url(re.compile("/compare$"))  # there is nothing to decide
    expect(page.get_by_role("link", name="Decide")).to_have_count(0)
    page.get_by_role("button", name="Ask for a pair").click()
    left, right, status = page.locator("#left"), page.locator("#right"), page.locator("#status")
    expect(left).to_contain_text("lifting")
    first = left.inner_text()
    boxes = [each.bounding_box() for each in (left, right)]
    assert boxes[0] is not None
    assert boxes[1] is not None
    assert boxes[0]["y"] == boxes[1]["y"]
    assert boxes[0]["x"] + boxes[0]["width"] <= boxes[1]["x"]
    page.get_by_role("button", name="Prefer this (left)").click()
    expect(status).to_contain_text("1 answer")
    expect(left).not_to_have_text(first)
    for answers, key in enumerate(("ArrowRight", "ArrowLeft", "ArrowUp", "t"), 2):
        shown = left.inner_text()
        page.keyboard.press(key)
        expect(status).to_contain_text(f"{answers} answers")
        expect(left).not_to_have_text(shown)
    page.get_by_role("button", name="Take my last answer back").click()
    expect(status).to_contain_text("4 answers")
    made = cs.load_study("liked", pages_storage).comparisons
    # Who stands left alternates: the second proposal of the second pair.
    pairs = [(c.winner_proposal, c.loser_proposal, c.tie) for c in made]
    assert pairs[:3] == [("p1", "p2", False), ("p3", "p4", False), ("p5", "p6", False)]
    assert pairs[3] == ("p8", "p7", True)
    assert {c.actor for c in made} == {"ann"}


def test_a_study_with_measurements_and_comparisons(browser: Browser, pages_url: str) -> None:
    """On a phone: two that were compared still wait to be measured."""
    with person(browser, pages_url, 390) as page:
        page.goto("/studies/both")
        page.get_by_role("link", name="Compare").click()
        page.get_by_role("button", name="Ask for a pair").click()
        page.get_by_role("button", name="No difference").click()
        expect(page.locator("#status")).to_contain_text("1 answer")
        expect(page.get_by_role("button", name="Ask for a pair")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        page.get_by_role("link", name="Measure waiting trials on Decide").click()
        expect(page.get_by_role("button", name="Proposal p2")).to_be_visible()
