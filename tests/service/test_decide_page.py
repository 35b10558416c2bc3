"""The Decide page: the picture, what a person types, what came of it, and how to undo it."""

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

import counsel as cs
from service.browser import LONGEST, accessible, dragged, field, person

pytestmark = pytest.mark.xdist_group("pages")
expect.set_options(timeout=LONGEST)


def ready(page: Page, way: str) -> None:
    """Open a study with a waiting proposal; the picture and the reasons are drawn."""
    page.goto(way)
    expect(page.locator("#mine-difference")).to_have_text("This is the proposal.")
    expect(page.locator("#reasons .main-svg").first).to_be_visible()


def press(page: Page, button: Locator) -> None:
    """Hold a button down."""
    button.hover()
    page.mouse.down()


def test_mine_is_dragged_on_the_map_tried_and_judged(page: Page, pages_url: str) -> None:
    with cs.Client(pages_url) as client:
        study = client.load_study("map")
        study.ask()
        before = len(study.shown)
        ready(page, "/studies/map")
        assert [seen.actor for seen in study.shown[before:]] == ["ann"]  # the reasons, once
        expect(page.locator("#picture figure")).to_have_count(2)  # expected, and how uncertain
        expect(page.locator("#picture .mark").first).to_be_visible()
        slider = page.locator("#mine").get_by_role("slider", name="lifting")
        expect(slider).to_have_attribute("aria-valuemax", "50")  # in the parameter's own units
        page.locator("#reasons .key span").first.hover()  # a term is defined where it stands
        expect(page.locator("#reasons .key i").first).to_have_text(
            "expected payoff (posterior mean)"
        )
        dragged(page, 0.8, 0.3, {"lifting": 40.0, "lowering": 15.0})
        expect(page.locator("#mine-difference")).to_contain_text("against the proposal")
        expect(page.locator("#mine-why")).not_to_be_empty()
        page.locator("#mine").get_by_role("button", name="Use mine").click()
        expect(page.locator("#measure")).to_contain_text("ann decided to try lifting 4")
        (decision,) = study.decisions
        assert decision.kind == "override"

        page.get_by_label("comfort", exact=True).fill("1,500")
        page.get_by_role("button", name="Tell the machine").click()
        expect(page.get_by_text("Write 1500, or 1.500.").first).to_be_visible()
        page.get_by_label("comfort", exact=True).fill("91540")
        page.get_by_role("button", name="Tell the machine").click()
        expect(page.get_by_role("alertdialog")).to_contain_text("far outside of what is expected")
        page.get_by_role("button", name="Correct it").click()
        assert len(study.observations) == 4
        page.get_by_label("comfort", exact=True).fill("9,5")
        page.get_by_role("button", name="Tell the machine").click()
        came = page.locator("#notice")
        expect(came).to_contain_text(re.compile(r"Predicted .* got 9.5: a new best"))
        expect(came).to_contain_text("What is expected changed most near")
        # The picture of before turns into that of after, and back.
        shown = page.locator("#change image").first
        expect(page.locator("#change").get_by_role("button", pressed=True)).to_have_text("After it")
        after = shown.get_attribute("href") or ""
        page.locator("#change").get_by_role("button", name="Before the trial").click()
        expect(shown).not_to_have_attribute("href", after)
        accessible(page)
        assert study.observations[-1].outcomes == {"comfort": 9.5}
        expect(page.locator("#activity")).to_contain_text("★ best: 9.5")
        expect(page.locator("#activity")).to_contain_text("own idea by ann")
        expect(page.locator("#stop")).to_contain_text("still to be gained")
        came.get_by_role("button", name="Undo").click()
        expect(page.locator("#measure")).to_be_visible()
        assert len(study.observations) == 4
        page.get_by_role("button", name="Take the decision back").click()
        expect(page.locator("#proposal")).to_be_visible()


def test_an_empty_field_is_refused_and_an_unchanged_one_accepts(page: Page, pages_url: str) -> None:
    with cs.Client(pages_url) as client:
        study = client.load_study("map")
        if not study.pending:
            study.ask()
        ready(page, "/studies/map")
        lifting = page.locator("#mine").get_by_label("lifting", exact=True).last
        ring = page.locator(".beliefs .mine").first
        before = ring.get_attribute("transform") or ""
        lifting.fill("41")  # what is typed moves the ring as a slider does
        expect(ring).not_to_have_attribute("transform", before)
        lifting.fill("")
        page.get_by_role("button", name="Use mine").click()
        expect(page.get_by_text("an empty field is not 0")).to_be_visible()
        lifting.fill("70")  # outside of the range: refused, not cut off
        expect(page.locator("#mine-prediction")).to_contain_text("between 0.0 and 50.0")
        assert study.decisions == ()
        page.get_by_role("button", name="Back to the proposal").click()
        expect(page.locator("#mine-difference")).to_have_text("This is the proposal.")
        page.get_by_role("button", name="Use mine").click()
        expect(page.locator("#notice")).to_contain_text("counts as accepted")
        accessible(page)
        (decision,) = study.decisions
        assert decision.kind == "accept"
        study.withdraw(decision, actor="ann")


def test_every_decision_can_be_undone(page: Page, pages_url: str) -> None:
    with cs.Client(pages_url) as client:
        study = client.load_study("undone")
        proposal = study.ask()
        ready(page, "/studies/undone")
        page.locator("h1, [role=heading]").first.click()
        page.keyboard.press("r")
        notice = page.locator("#notice")
        expect(notice).to_contain_text(f"Rejected {proposal.id}")
        expect(page.get_by_text("No proposal is waiting")).to_be_visible()
        notice.get_by_role("button", name="Undo").click()
        expect(page.locator("#proposal")).to_be_visible()
        assert study.decisions == ()
        page.get_by_role("button", name="Accept").click()
        page.get_by_role("button", name="It failed").click()
        page.get_by_label("What happened").fill("it burst")
        page.get_by_role("button", name="It fails there").click()
        expect(notice).to_contain_text("ailed")
        expect(page.get_by_text("No proposal is waiting")).to_be_visible()
        assert [failure.reason for failure in study.failures] == ["it burst"]
        notice.get_by_role("button", name="Undo").click()
        page.get_by_role("button", name="Take the decision back").click()
        expect(page.locator("#proposal")).to_be_visible()
        assert study.failures == ()
        page.keyboard.press("?")
        expect(page.get_by_role("dialog", name="Keys")).to_contain_text("reject the proposal")
        accessible(page)


def test_a_reload_keeps_the_proposal_and_what_was_typed(page: Page, pages_url: str) -> None:
    with cs.Client(pages_url) as client:
        study = client.load_study("kept")
        study.ask(2)
        ready(page, "/studies/kept?proposal=p2")
        page.locator("#mine").get_by_label("x", exact=True).last.fill("3,25")
        expect(page.locator("#mine-difference")).to_contain_text("against the proposal")
        page.get_by_label("Reason (optional)").fill("a hunch")
        page.reload()
        expect(page.locator("#mine-difference")).to_contain_text("against the proposal")
        expect(page).to_have_url(re.compile(r"proposal=p2$"))
        assert field(page, "x") == "3.25"
        assert page.get_by_label("Reason (optional)").input_value() == "a hunch"
        page.get_by_role("button", name="Use mine").click()
        page.get_by_label("objective", exact=True).fill("7")
        page.reload()
        expect(page.get_by_label("objective", exact=True)).to_have_value("7")
        assert [d.reason for d in study.decisions] == ["a hunch"]
        accessible(page)


def test_others_are_announced_beside_what_i_type(browser: Browser, pages_url: str) -> None:
    with person(browser, pages_url) as ann, cs.Client(pages_url) as client:
        study = client.load_study("beside")
        first = study.ask()
        ready(ann, "/studies/beside")
        study.hold(first, actor="ben", seconds=600)
        ann.locator("#mine").get_by_label("x", exact=True).last.fill("2.5")
        expect(ann.locator("#mine-difference")).to_contain_text("against the proposal")
        expect(ann.locator("#lease")).to_contain_text("ben holds p1 until")
        study.accept(first, actor="ben")
        notice = ann.locator("#notice")
        expect(notice).to_contain_text("ben: accepted p1")
        assert field(ann, "x") == "2.5"
        accessible(ann)
        show = notice.get_by_role("button", name="Show the study as it is now")
        press(ann, show)
        study.comment("o1", "warm that day", actor="ben")
        expect(notice).to_contain_text("ben: said of o1")  # while the button is held down
        ann.mouse.up()
        expect(ann.locator("#measure")).to_contain_text("ben decided to try")


def test_a_point_has_one_prediction_whatever_was_told_since(page: Page, pages_url: str) -> None:
    with cs.Client(pages_url) as client:
        study = client.load_study("told")
        study.ask()
        study.tell({"x": 3.0}, -4.0)  # the proposal is older than this
        ready(page, "/studies/told")
        accessible(page)
        left = page.locator("#expected").inner_text().removeprefix("Expected ")
        assert left == page.locator("#mine-prediction").inner_text()


def test_a_trial_is_commented_on_where_others_see_it(browser: Browser, pages_url: str) -> None:
    with (
        person(browser, pages_url, name="ann") as ann,
        person(browser, pages_url, name="ben") as ben,
        cs.Client(pages_url) as client,
    ):
        study = client.load_study("two")
        before = study.predict({"x": 4.0})
        ann.goto("/studies/two")
        ben.goto("/studies/two/history")
        ann.get_by_role("button", name="Comment on trial 3").click()
        ann.get_by_role("button", name="Save the comment").click()
        expect(ann.get_by_text("Write what you have to say.")).to_be_visible()
        ann.get_by_label("What you have to say").fill("the valve was open")
        ann.get_by_role("button", name="Save the comment").click()
        expect(ann.locator("#activity")).to_contain_text("ann: “the valve was open”")
        expect(ben.get_by_text("said of o3: the valve was open")).to_be_visible()
        assert study.predict({"x": 4.0}) == before
        ben.get_by_role("button", name="Comment on o1").click()
        ben.get_by_label("What you have to say").fill("so it was here")
        ben.get_by_role("button", name="Save the comment").click()
        expect(ann.locator("#activity")).to_contain_text("ben: “so it was here”")
        ben.get_by_role("button", name="Withdraw n2").click()
        ben.get_by_role("button", name="Withdraw it").click()
        expect(ann.locator("#activity")).not_to_contain_text("so it was here")
        assert [(each.fact, each.actor) for each in study.comments] == [("o3", "ann")]


def test_what_is_asked_and_left_open_is_asked_again(page: Page, pages_storage: str) -> None:
    """On the way out, and then beside the trial until somebody answers."""
    study = cs.create_study(
        cs.Space(x=cs.Float(0, 10)),
        name="left open",
        constraints=[cs.Constraint("comfort", answer="yes/no"), cs.Constraint("heat", at_most=5.0)],
        storage=pages_storage,
    )
    study.accept(study.ask(), actor="ann")
    page.goto("/studies/left open")
    page.get_by_label("objective", exact=True).fill("3")
    page.get_by_label("heat", exact=True).fill("2")
    page.get_by_role("button", name="Tell the machine").click()
    asked = page.get_by_role("alertdialog", name="Not everything is answered")
    expect(asked).to_contain_text("comfort is still open.")
    accessible(page)
    asked.get_by_role("button", name="Answer it now").click()
    assert study.observations == ()  # and what was typed is there
    expect(page.get_by_label("heat", exact=True)).to_have_value("2")
    page.get_by_role("button", name="Tell the machine").click()
    asked.get_by_role("button", name="Record the rest, answer later").click()
    expect(page.locator("#notice")).to_contain_text("Still open: comfort. Answer below")
    expect(page.locator("#status")).to_contain_text("1 trial.")
    chip = page.locator("#activity")
    expect(chip).to_contain_text("Still open: comfort")
    page.get_by_role("button", name="Answer for trial 1").click()
    dialog = page.get_by_role("dialog", name="Answer what p1 left open")
    dialog.get_by_role("button", name="Tell the machine").click()
    expect(page.get_by_text("Enter an answer first.")).to_be_visible()
    dialog.get_by_role("radio", name="no").click()
    accessible(page)
    dialog.get_by_role("button", name="Tell the machine").click()
    expect(chip).not_to_contain_text("Still open")
    expect(chip).to_contain_text("broke a constraint")
    expect(page.locator("#status")).to_contain_text("1 trial. No trial is known to meet all")
    assert [dict(each.outcomes) for each in study.observations] == [
        {"objective": 3.0, "heat": 2.0},
        {"comfort": 0.0},
    ]
    page.get_by_role("button", name="Correct trial 1").click()  # both parts, in their own words
    dialog = page.get_by_role("dialog", name="Correct trial 1")
    dialog.get_by_role("radio", name="yes").click()
    dialog.get_by_role("button", name="Save correction").click()
    expect(page.locator("#status")).to_contain_text("1 trial. Best objective so far: 3")
    assert [type(each).__name__ for each in study.facts].count("Revision") == 1
    page.get_by_role("link", name="History").click()
    expect(page.get_by_role("cell", name="measured comfort no at p1")).to_be_visible()
