"""Making a study in a real browser: candidates from a file, comparisons, constraints."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import counsel as cs
from counsel.policies.default import default_policy
from service.browser import LONGEST

pytestmark = pytest.mark.xdist_group("more pages")
expect.set_options(timeout=LONGEST)


def test_a_study_from_a_table_of_candidates(page: Page, tmp_path: Path) -> None:
    """From nothing to a finished trial, with only what the page says."""
    table = tmp_path / "arms.csv"
    table.write_text("kind,size\na,1\nb,2\na,3\n")
    page.goto("/")
    page.get_by_role("button", name="New study").click()
    page.get_by_label("Name of the study").fill("beans")
    page.get_by_label("What you measure").fill("taste")
    page.get_by_role("tab", name="Table of candidates").click()
    page.locator("#candidates-file input[type=file]").set_input_files(table)
    expect(page.get_by_text("3 candidates. What is each column?")).to_be_visible()
    page.get_by_role("button", name="Create the study").click()
    page.get_by_role("button", name="Ask for a proposal").click()
    expect(page.locator("#proposal-values")).to_have_text(re.compile(r"kind [ab], size [123]"))
    page.get_by_role("button", name="Accept").click()
    page.get_by_label("taste", exact=True).fill("7.5")
    page.get_by_role("button", name="Tell the machine").click()
    expect(page.locator("#status")).to_contain_text("1 trial. Best taste so far: 7.5")
    page.goto("/studies/beans/history")
    expect(page.get_by_role("cell", name="measured taste 7.5 at p1")).to_be_visible()
    expect(page.get_by_role("cell", name="ann").first).to_be_visible()


def test_a_form_that_cannot_be_is_refused_in_a_sentence(page: Page) -> None:
    page.goto("/new")
    page.get_by_label("Name of the study").fill("wrong")
    page.get_by_label("Name", exact=True).fill("x")
    page.get_by_label("From", exact=True).fill("3")
    page.get_by_role("button", name="Create the study").click()
    expect(page.get_by_text("x, From and To: got '3 to 1'.")).to_be_visible()
    page.get_by_label("To", exact=True).fill("5")
    page.get_by_role("button", name="Create the study").click()
    expect(page.get_by_role("button", name="Ask for a proposal")).to_be_visible()


def test_a_new_study_to_compare_in_and_one_with_constraints(page: Page, pages_storage: str) -> None:
    page.goto("/new")
    page.get_by_label("Name of the study").fill("tea")
    page.get_by_text("I say which of two is better").click()
    expect(page.get_by_label("What you measure")).to_be_hidden()
    page.get_by_label("Name", exact=True).fill("minutes")
    page.get_by_role("button", name="Create the study").click()
    expect(page.get_by_role("button", name="Ask for a pair")).to_be_visible()
    page.goto("/new")
    page.get_by_label("Name of the study").fill("toast")
    page.get_by_label("Name", exact=True).fill("minutes")
    page.get_by_text("Constraints (optional)").click()
    page.get_by_role("button", name="Add a constraint").click()
    page.get_by_label("Threshold").fill("2")  # first: before it is there, the last name is another
    page.get_by_label("Name", exact=True).last.fill("brownness")
    page.get_by_role("button", name="Create the study").click()
    expect(page.get_by_role("button", name="Ask for a proposal")).to_be_visible()
    made = cs.load_study("toast", pages_storage)
    assert made.problem.constraints[0].at_least == 2.0
    assert made.setup.policy_name == default_policy(made.problem).name
    assert cs.load_study("tea", pages_storage).problem.objective.preferred
