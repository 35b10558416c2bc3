"""A study's team: a rule decides between a proposal and a person's point, and can be overruled."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import counsel as cs
from counsel.facts import codec
from counsel.models.mixture import Mixture
from counsel.storage.sql import SqlStorage
from counsel.teams import fused
from counsel.teams.advice import Past, Sides, track_record
from counsel.teams.deciding import VERSIONS, Ruling, Situation, teams

GRID = [{"lifting": i / 6, "lowering": j / 6} for i in range(7) for j in range(7)]
TOP, BOTTOM = {"lifting": 1.0, "lowering": 1.0}, {"lifting": 0.0, "lowering": 0.0}
TAGS = ["never", "always", "every-2", "ratio", "shapley", "tree", "credit", "fused"]


def payoff(values: Any) -> float:
    return float(2.0 * values["lifting"] + 0.2 * values["lowering"])


def begun(team: str | None, **options: Any) -> cs.Study:
    made = cs.create_study(cs.Arms(GRID), policy="v-ucb", seed=2, team=team, **options)
    for values in GRID[::5]:
        made.tell(values, payoff(values))
    return made


def situation(**changes: Any) -> Situation:
    given: dict[str, Any] = {
        "round": 3,
        "values": np.array([[0.2, 0.4], [0.5, 0.5]]),
        "usual": np.array([[0.2, 0.4], [0.3, 0.6]]),
        "sides": Sides(np.array([0.0, 0.5]), np.diag([0.04, 0.09]), np.ones(2), np.ones(2) / 2),
        "best": 0.0,
        "record": track_record(("a", "b"), [], None),
        "past": [],
        "reasons": lambda: (np.array([1.0, 2.0]), np.array([[1.0, 2.0], [2.0, 4.0]])),
        "fused": lambda: Ruling(True),
    }
    return Situation(**{**given, **changes})


def says(tag: str, **changes: Any) -> bool:
    return bool(teams.get(tag).thing(situation(**changes)).tries)


def test_every_rule_is_registered_with_a_sentence() -> None:
    assert sorted(teams.names()) == sorted(TAGS)
    assert all(teams.get(tag).sentence.endswith(".") for tag in TAGS)


def test_the_simple_ones() -> None:
    assert not says("never")
    assert says("always")
    assert [says("every-2", round=n) for n in (1, 2, 3, 4)] == [False, True, False, True]


@pytest.mark.parametrize("tag", sorted(set(TAGS) - {"never", "always", "fused"}))
def test_a_ruling_says_why(tag: str) -> None:
    """Both ways: whatever a rule takes, its reason names what it looked at."""
    past = [Past(0.0, 1.0, np.ones(2) / 2, x - 4.5, (x / 10, 0.5, 0.5, 0.5)) for x in range(10)]
    unlike = np.array([[1.0, -2.0]])
    calls: dict[str, list[dict[str, Any]]] = {
        "every-2": [{"round": 3}, {"round": 4}],
        "ratio": [{}, {"usual": np.array([[0.9, 0.1], [0.1, 0.9]])}],
        "shapley": [{}, {"reasons": lambda: (np.array([1.0, 2.0]), unlike)}],
        "tree": [{"past": [each._replace(gain=-1.0) for each in past]}, {"past": past}],
        "credit": [{"sides": _sides(0.9, 0.0)}, {"sides": _sides(0.0, 0.9)}],
    }
    against, for_it = (teams.get(tag).thing(situation(**each)) for each in calls[tag])
    assert (against.tries, for_it.tries) == (False, True)
    assert against.because != for_it.because
    assert all(each.because.startswith("because ") for each in (against, for_it))


def _sides(machine: float, person: float) -> Sides:
    return Sides(np.array([machine, person]), np.diag([0.01, 0.01]), np.ones(2), np.ones(2) / 2)


def test_ratios_are_averaged_one_by_one_and_with_their_signs() -> None:
    """(11) and (12): averages of ratios, not ratios of averages."""
    assert not says("ratio")
    assert says("ratio", usual=np.array([[0.9, 0.1], [0.1, 0.9]]))  # averages are alike, ratios not
    assert not says("shapley")
    assert says("shapley", reasons=lambda: (np.array([1.0, 2.0]), np.array([[1.0, -2.0]])))
    # Both against is the same ratio as both in favour.
    assert not says("shapley", reasons=lambda: (np.array([1.0, 2.0]), np.array([[-1.0, -2.0]])))
    assert not says("shapley", reasons=lambda: None)


def test_a_tree_is_learned_from_what_came_of_following() -> None:
    def past(lead: float, gain: float) -> Past:
        return Past(0.0, 1.0, np.ones(2) / 2, gain, (lead, 0.5, 0.5, 0.5))

    lucky = [past(x / 10, 1.0 if x > 4 else -1.0) for x in range(10)]
    assert says("tree", past=lucky)  # it leads by 1 sd, and then following paid
    assert not says("tree", past=[past(x / 10, -1.0) for x in range(10)])
    assert [says("tree", round=n) for n in (1, 2)] == [False, True]  # nothing to learn from yet


def test_credit_turns_the_promise() -> None:
    worse = Sides(np.array([0.3, 0.0]), np.diag([0.01, 0.25]), np.ones(2), np.array([1.0, 0.0]))
    kind = np.array([1.0, 0.0])
    good, bad = ([Past(z, 1.0, kind)] * 4 for z in (2.0, -2.0))
    assert says("credit", sides=worse, record=track_record(("a", "b"), good, kind))
    assert not says("credit", sides=worse, record=track_record(("a", "b"), bad, kind))


@pytest.mark.parametrize("tag", TAGS)
def test_nothing_known_leaves_it_to_the_machine_unless_the_rule_needs_no_knowledge(
    tag: str,
) -> None:
    made = cs.create_study(cs.Arms(GRID), seed=2, team=tag)
    decision = made.decide(made.ask(), TOP, actor="ann")
    follows = tag == "always" or (tag == "ratio" and decision.kind == "override")
    assert decision.kind == ("override" if follows else "accept")


@pytest.mark.parametrize("tag", TAGS)
def test_a_rule_decides_and_the_facts_say_so(tag: str, tmp_path: Path) -> None:
    storage = f"sqlite:///{tmp_path / 'study.db'}"
    made = begun(tag, storage=storage)
    proposal = made.ask()
    other = BOTTOM if proposal.values == TOP else TOP
    advice = made.advise(proposal, other, actor="ann")
    decision = made.decide(proposal, other, actor="ann", idempotency_key="once")
    assert made.decide(proposal, other, actor="ann", idempotency_key="once") == decision
    assert advice.rule == tag
    assert advice.third is None or tag == "fused"
    stepping = advice.recommendation == "step in" or advice.third is not None
    assert decision.kind == ("override" if stepping else "accept")
    assert decision.reason.startswith(f"{tag}: ")
    (claim,) = made.claims
    assert (claim.better, claim.worse_proposal, claim.actor) == (other, proposal.id, "ann")
    # The person overrules it, and the history has both.
    kind = "accept" if decision.kind == "override" else "override"
    if kind == "accept":
        made.accept(proposal, actor="ann", replace=True)
    else:
        made.override(proposal, other, actor="ann", replace=True)
    made.tell(proposal, 1.0)
    again = cs.load_study(made.name, storage)
    assert again.setup.team == tag
    assert again.facts == made.facts
    assert again.replay().identical


def test_a_claim_is_made_before_the_results_are_known() -> None:
    made = cs.create_study(cs.Arms(GRID), seed=2, team="fused")
    first, second = made.ask(2)
    made.claim(better=first, worse=second, actor="ann")
    with pytest.raises(cs.Conflict, match=r"ann expects the opposite \(e1\): withdraw"):
        made.claim(better=second, worse=first, actor="ann")
    made.claim(better=second, worse=first, actor="ben")
    made.withdraw("e2", actor="ben")
    made.tell(first, payoff(first.values))
    made.tell(second, payoff(second.values))
    with pytest.raises(cs.Conflict, match="before the results"):
        made.claim(better=first, worse=second, actor="ann")
    record = made.advise(made.ask(), TOP, actor="ann").credit
    right = payoff(first.values) >= payoff(second.values)
    assert (record.forecasts, record.right) == (1, int(right))
    assert made.advise(made.ask(), TOP, actor="bob").credit.forecasts == 0
    made.withdraw(made.claims[0], actor="ann")
    assert made.claims == ()


def test_a_claim_does_not_change_what_is_proposed() -> None:
    """Without a team that takes advice as data, it tells of the person and not of the world."""
    plain, claimed = begun(None), begun(None)
    claimed.claim(better=TOP, worse=BOTTOM, actor="ann")
    ours, theirs = plain.ask(), claimed.ask()
    assert (ours.values, ours.theta) == (theirs.values, theirs.theta)
    assert claimed.replay().identical


def test_advice_that_proved_right_is_followed_and_advice_that_proved_wrong_is_not() -> None:
    """The same point, suggested by one whose forecasts came out right and by one who was wrong."""

    def payoff(values: Any) -> float:
        away = (values["lifting"] - 1 / 3) ** 2 + (values["lowering"] - 2 / 3) ** 2
        return float(np.exp(-away / 0.15) + 0.2 * values["lifting"])

    made = cs.create_study(cs.Arms(GRID), policy="v-ucb", seed=2, team="fused", initial=5)
    first = made.ask(5)
    order = sorted(first, key=lambda p: payoff(p.values))
    for i, low in enumerate(order):
        for high in order[i + 1 :]:
            made.claim(better=high, worse=low, actor="ann")
            made.claim(better=low, worse=high, actor="eve")
    for each in first:
        made.tell(each, payoff(each.values))
    proposal, mine = made.ask(), {"lifting": 3 / 6, "lowering": 4 / 6}
    assert payoff(proposal.values) < payoff(mine)
    ann, eve = (made.advise(proposal, mine, actor=who) for who in ("ann", "eve"))
    # Ann's point, or one that promises more still; Eve is not heard.
    tried = mine if ann.third is None else ann.third
    assert ann.recommendation == ("step in" if ann.third is None else "your call")
    assert payoff(tried) > payoff(proposal.values)
    assert "the rule “fused” takes" in ann.why
    assert eve.recommendation == "go ahead"
    assert eve.third is None


def test_a_third_point_is_tried_and_is_nobodys_choice() -> None:
    """Ann knows the ridge and names a point beside its top: what promises more is tried."""

    def payoff(values: Any) -> float:
        return float(-((values["a"] - 0.8) ** 2) - 0.5 * (values["b"] - 0.6) ** 2)

    space = cs.Space(a=cs.Float(0, 1), b=cs.Float(0, 1))
    made = cs.create_study(space, policy="v-ucb", seed=1, team="fused", initial=4, kappa=3)
    for proposal in made.ask(4):
        made.tell(proposal, payoff(proposal.values))
    thirds = 0
    for _ in range(8):
        proposal, mine = made.ask(), {"a": 0.7, "b": 0.3}
        advice = made.advise(proposal, mine, actor="ann")
        decision = made.decide(proposal, mine, actor="ann")
        if advice.third is not None:
            thirds += 1
            assert decision.values == advice.third
            assert decision.values not in (proposal.values, mine)
            assert decision.actor == "fused"  # neither Ann's credit nor her overrides have it
            assert "takes a third point" in advice.why
            assert advice.recommendation == "your call"
        tried = decision.values or proposal.values
        made.tell(proposal, payoff(tried))
    assert thirds > 0
    own = [d for d in made.decisions if d.kind == "override" and d.actor == "ann"]
    assert made.advise(made.ask(), mine, actor="ann").credit.trials == len(own)
    assert made.replay().identical


def test_without_a_team_there_is_no_rule() -> None:
    made = begun(None)
    proposal = made.ask()
    with pytest.raises(cs.InvalidInput, match="team"):
        made.decide(proposal, TOP, actor="ann")
    assert made.advise(proposal, TOP).rule is None
    with pytest.raises(cs.InvalidInput, match="fused"):
        cs.create_study(cs.Arms(GRID), team="nobody")
    with pytest.raises(cs.InvalidInput, match="two parameters"):
        cs.create_study(cs.Space(x=cs.Float(0, 1)), team="ratio")


def test_a_decided_proposal_is_not_decided_again() -> None:
    made = begun("always")
    proposal = made.ask()
    made.accept(proposal, actor="bob")
    with pytest.raises(cs.Conflict):
        made.decide(proposal, BOTTOM, actor="ann")
    assert made.claims == ()


def test_a_study_keeps_the_version_of_its_rule(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    storage = SqlStorage(f"sqlite:///{tmp_path / 'studies.db'}")
    new = cs.create_study(cs.Arms(GRID), name="new", storage=storage, seed=2, team="fused")
    assert new.setup.team_version == VERSIONS["fused"] > 1
    for version in (1, 2):
        storage.create(replace(new.setup, name=f"of {version}", team_version=version))
    used: list[tuple[float, int]] = []
    decided = fused.decided

    def seen(
        believed: Mixture, *args: Any, settings: fused.Settings, **options: Any
    ) -> fused.Decided:
        used.append((float(settings.risk), len(believed.logs)))
        return decided(believed, *args, settings=settings, **options)

    monkeypatch.setattr(fused, "decided", seen)
    for name in ("of 1", "of 2", "new"):
        made = cs.load_study(name, storage)
        for values in (TOP, BOTTOM):
            made.tell(values, payoff(values))
        made.advise(made.ask(), GRID[24], actor="ann")
    risks = [float(fused.settings_of(v).risk) for v in (1, 2, 3)]
    assert used == list(zip(risks, (1, 1, 12), strict=True))
    assert "team_version" not in codec.write(cs.load_study("of 1", storage).setup)


# What the code of the second version said, round by round.
SECOND = [
    "takes the machine's, because with what you said yours is expected to be 0.641 worse.",
    "takes yours, because with what you said it is expected to be 0.673 better.",
    "takes the machine's, because with what you said yours is expected to be 1.14 worse.",
    "takes the machine's, because with what you said yours is expected to be 0.319 worse.",
]


def test_a_study_of_the_second_version_goes_on_as_it_began(tmp_path: Path) -> None:
    storage = SqlStorage(f"sqlite:///{tmp_path / 'studies.db'}")
    new = cs.create_study(
        cs.Arms(GRID), name="new", storage=storage, policy="v-ucb", seed=2, team="fused"
    )
    storage.create(replace(new.setup, name="second", team_version=2))
    made, said = cs.load_study("second", storage), []
    for values in (TOP, BOTTOM, GRID[10]):
        made.tell(values, payoff(values))
    for at in (24, 48, 6, 40):
        proposal = made.ask()
        decision = made.decide(proposal, GRID[at], actor="ann")
        said.append((decision.reason or "").partition("the rule “fused” ")[2])
        made.tell(proposal, payoff(decision.values or proposal.values))
    assert said == SECOND
    again = cs.load_study("second", storage)
    assert again.setup.team_version == 2
    assert again.replay().identical
