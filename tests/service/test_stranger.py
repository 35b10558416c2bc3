"""A stranger, given only the page: an own study from a file with a mistake, to its printed report.

Everything is clicked and typed; the study is looked at from outside only at the end.
"""

import csv
import math
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

import counsel as cs
from service.browser import LONGEST, accessible, person

pytestmark = pytest.mark.xdist_group("more pages")
expect.set_options(timeout=LONGEST)
_ROUNDS = 18  # more than the study needs


def taste(brew: float, dose: float) -> float:
    """What a cup is worth: best near 93 degrees and 18 g."""
    return 8.0 * math.exp(-(((brew - 93.0) / 4.0) ** 2) - ((dose - 18.0) / 3.0) ** 2)


def table(folder: Path) -> Path:
    """Thirty cups by name, one with a slip in it, three of them tasted."""
    rows = []
    for number in range(30):
        brew, dose = 84.0 + 3.0 * (number % 6), 12.0 + 3.0 * (number // 6)
        score = f"{taste(brew, dose):.2f}" if number in (0, 14, 22) else ""
        rows.append([f"cup {number + 1}", f"{brew:g}", f"{dose:g}", score])
    rows[7][1] = "hot"
    file = folder / "cups.csv"
    with file.open("w", newline="") as opened:
        csv.writer(opened).writerows([["name", "brew", "dose", "taste"], *rows])
    return file


def test_a_stranger_finishes_a_study_of_their_own(
    browser: Browser, pages_url: str, pages_storage: str, tmp_path: Path
) -> None:
    with person(browser, pages_url, name="stranger") as page:
        page.goto("/")
        page.get_by_role("button", name="New study").click()
        page.get_by_label("Name of the study").fill("coffee")
        page.get_by_label("What you measure").fill("taste")
        page.get_by_role("tab", name="Table of candidates").click()
        page.locator("#candidates-file input[type=file]").set_input_files(table(tmp_path))
        expect(page.locator("#columns")).to_contain_text("Line 9: “hot” is not a number.")
        accessible(page)
        page.get_by_role("button", name="Create the study").click()
        expect(page.get_by_text("Line 9: brew is “hot”, which is not a number.")).to_be_visible()
        page.get_by_role("checkbox", name="Leave out lines with mistakes").click()
        page.get_by_role("checkbox", name="Try every candidate at most once").click()
        page.get_by_role("button", name="Create the study").click()
        expect(page.locator("#status")).to_contain_text("3 trials.")

        told = _until_told_to_stop(page)
        accessible(page)

        page.get_by_role("link", name="Insights").click()
        expect(page.locator("#drawn")).to_be_visible()
        accessible(page)
        with page.expect_download() as download:
            page.get_by_role("button", name="Report to print").click()
        report = download.value.path().read_text()
        expect(page.locator("#outlook")).to_contain_text("still to be gained")
    study = cs.load_study("coffee", pages_storage)
    assert study.best is not None
    assert study.best.value == 8.0  # the best cup of all
    assert len(study.observations) == 3 + told <= 3 + _ROUNDS
    kinds = [type(fact).__name__ for fact in study.facts]
    assert (kinds.count("Withdrawal"), kinds.count("Revision")) == (1, 1)
    assert f"Best taste so far: {study.best.value:.4g}" in report
    assert "taste, trial by trial" in report.lower()
    assert all(f"<td>{o.values['name']}</td>" in report for o in study.observations)
    assert all(
        o.outcomes["taste"] == round(taste(o.values["brew"], o.values["dose"]), 2)
        for o in study.observations
    )


def _until_told_to_stop(page: Page) -> int:
    """Accept, taste and tell, with one slip, until the page says that it may be time to stop."""
    for number in range(1, _ROUNDS + 1):
        page.get_by_role("button", name="Ask for a proposal").click()
        values = page.locator("#proposal-values")
        expect(values).to_be_visible()  # that of the round before is there, hidden
        expect(values).to_contain_text("cup")
        brew, dose = (
            float(found)
            for found in re.findall(r"brew ([\d.]+), dose ([\d.]+)", values.inner_text())[0]
        )
        page.get_by_role("button", name="Accept").click()
        field, right = page.get_by_label("taste", exact=True), f"{taste(brew, dose):.2f}"
        if number == 2:  # a slip of the finger: asked about, recorded all the same, then undone
            field.fill(f"9{right}0")
            page.get_by_role("button", name="Tell the machine").click()
            page.get_by_role("button", name="It is right: record it").click()
            page.locator("#notice").get_by_role("button", name="Undo").click()
            expect(page.locator("#measure")).to_be_visible()
        slip = number == 3  # one that nobody asks about, seen later
        field.fill("0,01" if slip else right.replace(".", ","))
        page.get_by_role("button", name="Tell the machine").click()
        expect(page.locator("#notice")).to_contain_text(f"got {0.01 if slip else float(right):.4g}")
        expect(page.locator("#status")).to_contain_text(f"{3 + number} trials.")
        if slip:
            page.get_by_role("button", name=f"Correct trial {3 + number}").click()
            dialog = page.get_by_role("dialog", name=f"Correct trial {3 + number}")
            dialog.get_by_label("taste", exact=True).fill(right)
            dialog.get_by_role("button", name="Save correction").click()
            expect(dialog).to_be_hidden()
        expect(page.locator("#activity")).to_contain_text(f"trial {3 + number},")
        stop = page.locator("#stop")
        if stop.is_visible() and "may be time to stop" in stop.inner_text():
            return number
    pytest.fail("The page never said that it may be time to stop.")
