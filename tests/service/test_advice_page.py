"""Should I step in? A simulated person reads the page's own words, and the truth judges them."""

import numpy as np
import pytest
from playwright.sync_api import Page, expect
from scipy.stats import binomtest

import counsel as cs
from service.browser import LONGEST

pytestmark = pytest.mark.xdist_group("pages")
expect.set_options(timeout=LONGEST)

GAINS = cs.Space(lifting=cs.Float(0, 50), lowering=cs.Float(0, 50))
LISTENS, LEAVES = "Step in", "Leave it to the machine"


def truth(lifting: float, lowering: float) -> float:
    """A ridge with one peak at (32, 14)."""
    across = (lifting - 32.0) / 18.0 + (lowering - 14.0) / 30.0
    return float(5.0 * np.exp(-(across**2) - ((lowering - 14.0) / 22.0) ** 2))


def test_the_words_on_the_page_are_right_more_often_than_chance(page: Page, pages_url: str) -> None:
    rng = np.random.default_rng(7)
    with cs.Client(pages_url) as client:
        study = client.create_study(GAINS, name="advised", objective="comfort", seed=3)
        for lifting, lowering in rng.uniform(0.0, 50.0, (7, 2)).round(1).tolist():
            values = {"lifting": lifting, "lowering": lowering}
            study.tell(values, truth(**values) + 0.1 * rng.standard_normal())
        proposal = study.ask()
        page.goto("/studies/advised")
        expect(page.locator("#mine-difference")).to_have_text("This is the proposal.")
        expect(page.locator("#advice-badge")).to_have_text("Your call")  # nothing is known of ann
        right = scored = 0
        for lifting, lowering in rng.uniform(0.0, 50.0, (12, 2)).round(1).tolist():
            mine = {"lifting": lifting, "lowering": lowering}
            for name, value in mine.items():
                page.locator("#mine").get_by_label(name, exact=True).last.fill(str(value))
            # The page says what every other door says.
            expected = study.advise(proposal, mine, actor="ann")
            expect(page.locator("#advice-why")).to_have_text(expected.why)
            words = page.locator("#advice-badge").inner_text()
            if words in (LISTENS, LEAVES):
                scored += 1
                right += (words == LISTENS) == (truth(**mine) > truth(**proposal.values))
        assert scored >= 6
        assert binomtest(right, scored, 0.5, alternative="greater").pvalue < 0.05, (right, scored)
