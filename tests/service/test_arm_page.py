"""The arm in a real browser: corrections while it moves become a study."""

import re
import time

import pytest
from playwright.sync_api import Browser, Page, expect

from service.browser import LONGEST, accessible, person

pytestmark = pytest.mark.xdist_group("pages")
expect.set_options(timeout=LONGEST)


def _moved(page: Page, axis: int) -> float:
    """How far the hand soon is from where the plan before had it; the second axis points down."""
    was, now = (
        [float(pair.split(",")[axis]) for pair in (points or "").split()]
        for points in (
            page.locator(".stage .was").get_attribute("points"),
            page.locator(".stage .way").get_attribute("points"),
        )
    )
    apart = [new - old for old, new in zip(was, now, strict=True)]
    pushed = next(step for step, each in enumerate(apart) if abs(each) > 1e-3)
    return sum(apart[pushed : pushed + 7])


@pytest.mark.parametrize("key", ["Left", "Right"])
def test_the_hand_goes_to_the_side_it_is_pushed_to(
    browser: Browser, pages_url: str, key: str
) -> None:
    with person(browser, pages_url) as page:
        page.goto("/")
        page.get_by_role("button", name="Correct the arm").click()
        page.get_by_role("switch", name="Slow motion").click()
        page.get_by_role("button", name="Start").click()
        said, way = page.locator("#said"), page.locator(".stage .way")
        expect(said).to_contain_text("It moves")
        planned = way.get_attribute("points")
        page.keyboard.press(f"Arrow{key}")
        expect(said).to_contain_text("Correction 1")
        expect(way).not_to_have_attribute("points", planned or "")
        assert (_moved(page, 0) < 0.0) is (key == "Left")  # the wall is on the right


@pytest.mark.parametrize("width", [pytest.param(390, marks=pytest.mark.slow), 1400])
def test_correct_the_arm_while_it_moves(browser: Browser, pages_url: str, width: int) -> None:
    """Keys, or buttons on a phone, change the plan; the ways to move become a study."""
    with person(browser, pages_url, width) as page:
        page.goto("/")
        page.get_by_role("button", name="Correct the arm").click()
        said, way = page.locator("#said"), page.locator(".stage .way")
        expect(said).to_contain_text("Press Start")
        expect(page.locator("#make-study")).to_be_disabled()
        page.keyboard.press("ArrowDown")  # nothing moves yet
        page.get_by_role("switch", name="Slow motion").click()
        page.get_by_role("button", name="Start").click()
        expect(said).to_contain_text("It moves")
        for number, key in ((1, "Down"), (2, "Up")):
            planned = way.get_attribute("points")
            began = time.perf_counter()
            if width > 600:
                page.keyboard.press(f"Arrow{key}")
            else:
                page.get_by_role("button", name=f"Push: {key}").click()
            expect(said).to_contain_text(f"Correction {number}")
            expect(way).not_to_have_attribute("points", planned or "")
            assert (_moved(page, 1) < 0.0) is (key == "Up")  # the hand goes where it is pushed
            print("planned anew after ms:", round(1000 * (time.perf_counter() - began)))
        page.get_by_role("switch", name="Slow motion").click()
        expect(said).to_contain_text("Done")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        accessible(page)
        ways = page.locator("#made").get_by_text("Way ")
        expect(ways).to_have_count(3)
        if width > 600:  # the same way again stays one, and one may be taken out
            page.get_by_role("button", name="Start").click()
            expect(said).to_contain_text("It moves")
            expect(said).to_contain_text("Done")
            expect(ways).to_have_count(3)
            page.get_by_role("button", name="Another first plan").click()
            page.get_by_role("button", name="Remove way 4").click()
            page.get_by_role("button", name="Remove way 2").click()
            few = page.get_by_role("button", name="A study needs 1 more way to move")
            expect(few).to_be_disabled()
            page.get_by_role("button", name="Another first plan").click()
            expect(ways).to_have_count(3)
        page.get_by_label("Name of the study").fill(f"arm {width}")
        page.get_by_role("button", name="Make a study of these 3 ways to move").click()
        drawn = page.locator("#world #animation .legendtext")
        expect(drawn.get_by_text("the proposal")).to_be_visible()
        simulate = page.get_by_role("button", name="Simulate")
        page.get_by_role("button", name="Accept").click()
        simulate.click()
        # Which way comes first, and whether it keeps clear of the wall, is up to the pushes.
        told = re.compile(r"1 trial\. (Best ease so far|No trial is known to meet all constraints)")
        expect(page.locator("#status")).to_contain_text(told)
