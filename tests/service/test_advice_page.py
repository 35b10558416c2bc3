"""Should I step in? A simulated person drags, reads the page's own words, and the truth judges.

Then what a team is for: forecasts before results are seen, and a rule that decides.
"""

import numpy as np
import pytest
from playwright.sync_api import Page, expect
from scipy.stats import binomtest

import counsel as cs
from service.browser import LONGEST, dragged

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
        for across, up in rng.uniform(0.02, 0.98, (12, 2)).tolist():
            mine = dragged(page, across, up, {"lifting": 50 * across, "lowering": 50 * up})
            # The page says what every other door says.
            expected = study.advise(proposal, mine, actor="ann")
            expect(page.locator("#advice-why")).to_have_text(expected.why)
            expect(page.locator("#advice-numbers")).to_have_text(" ".join(expected.numbers()))
            words = page.locator("#advice-badge").inner_text()
            if words in (LISTENS, LEAVES):
                scored += 1
                right += (words == LISTENS) == (truth(**mine) > truth(**proposal.values))
        assert scored >= 6
        assert binomtest(right, scored, 0.5, alternative="greater").pvalue < 0.05, (right, scored)


def test_reasons_that_are_of_an_earlier_place_say_so(page: Page, pages_url: str) -> None:
    """While a person drags, the reasons are those of where they last paused."""
    with cs.Client(pages_url) as client:
        study = client.create_study(GAINS, name="paused", objective="comfort", seed=3)
        for lifting, lowering in ((5.0, 5.0), (20.0, 12.0), (45.0, 40.0), (30.0, 20.0)):
            values = {"lifting": lifting, "lowering": lowering}
            study.tell(values, truth(**values))
        study.ask()
        page.goto("/studies/paused")
        expect(page.locator("#advice-badge")).to_have_text("Your call")
        first = dragged(page, 0.8, 0.3, {"lifting": 40.0, "lowering": 15.0})
        paused, why = page.locator("#mine-paused"), page.locator("#mine-why")
        expect(why).not_to_be_empty()
        expect(paused).to_be_empty()
        page.evaluate(
            """() => {
                const place = document.querySelector("#mine-paused");
                window.seen = [];
                new MutationObserver(() => window.seen.push([
                    place.textContent, document.querySelector("#mine-why").textContent,
                ])).observe(place, {childList: true, characterData: true, subtree: true});
            }"""
        )
        before = why.inner_text()
        dragged(page, 0.3, 0.7, {"lifting": 15.0, "lowering": 35.0})
        expect(why).not_to_have_text(before)
        expect(paused).to_be_empty()
        seen = page.evaluate("() => window.seen")
        where = f"lifting {first['lifting']:.4g}, lowering {first['lowering']:.4g}"
        assert seen[0] == [f"Where you last paused, {where}:", before]
        page.locator("#mine").get_by_label("lifting", exact=True).last.fill("")
        expect(paused).to_contain_text("Where you last paused, lifting 1")


def test_forecasts_are_made_before_results_are_seen_and_the_team_decides(
    page: Page, pages_url: str
) -> None:
    with cs.Client(pages_url) as client:
        study = client.create_study(GAINS, name="together", objective="y", seed=4, team="never")
        first = study.ask(3)
        page.goto("/studies/together")
        question = page.locator("#forecast-question")
        expect(question).to_contain_text("which of these will be best?")
        order = sorted(first, key=lambda each: -truth(**each.values))
        page.locator("#forecast").get_by_role("button", name=f"{order[0].id}:").click()
        expect(question).to_have_text("And which of the others?")
        page.locator("#forecast").get_by_role("button", name=f"{order[1].id}:").click()
        expect(page.locator("#forecast")).to_be_hidden()
        said = [(c.better_proposal, c.worse_proposal, c.actor) for c in study.claims]
        a, b, c = (each.id for each in order)
        assert said == [(a, b, "ann"), (a, c, "ann"), (b, c, "ann")]
        for each in first:
            study.tell(each, truth(**each.values))
        proposal = study.ask()
        record = study.advise(proposal, actor="ann").credit
        assert (record.forecasts, record.right) == (3, 3)
        page.goto("/studies/together")
        expect(page.locator("#mine-difference")).to_have_text("This is the proposal.")
        expect(page.locator("#forecast")).to_be_hidden()  # what follows from results is no test
        mine = dragged(page, 0.64, 0.28, {"lifting": 32.0, "lowering": 14.0})
        expect(page.locator("#mine-difference")).to_contain_text("against the proposal")
        page.locator("#mine").get_by_role("button", name="Let the team decide").click()
        expect(page.locator("#notice")).to_contain_text("The team tries the machine’s.")
        expect(page.locator("#notice")).to_contain_text("the rule “never” takes the machine's")
        assert [d.kind for d in study.decisions if d.proposal == proposal.id] == ["accept"]
        assert dict(study.claims[-1].better) == mine
        page.get_by_role("button", name="Overrule: try mine").click()
        expect(page.locator("#measure")).to_contain_text("lifting 3")
        (last,) = [d for d in study.decisions if d.proposal == proposal.id]
        assert last.kind == "override"
        assert dict(last.values or {}) == mine


def test_a_study_may_begin_with_forecasts(page: Page, pages_url: str) -> None:
    page.goto("/new")
    page.get_by_label("Name of the study").fill("begins with forecasts")
    page.get_by_label("Name", exact=True).fill("dose")
    page.get_by_text("Who decides (optional)").click()
    page.get_by_label("When a person would try something else").click()
    page.get_by_role("option", name="fused:").click()
    page.locator("#ask-forecasts").click()
    page.get_by_role("button", name="Create the study").click()
    expect(page.locator("#forecast-question")).to_contain_text("which of these will be best?")
    with cs.Client(pages_url) as client:
        made = client.load_study("begins with forecasts")
        assert made.setup.team == "fused"
        assert len(made.pending) == 3
