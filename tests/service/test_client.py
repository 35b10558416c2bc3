"""The client does over HTTP what a study does at home."""

import time
from typing import Any

import httpx
import pytest

import counsel as cs
from counsel.client import connection
from counsel.facts.records import PastTrial
from counsel.service.api import problem_details
from counsel.service.security.middleware import Limits
from counsel.service.security.tokens import Tokens
from service.conftest import running

SPACE = cs.Space(
    dose=cs.Float(1, 100, log=True), count=cs.Int(1, 5), kind=cs.Categorical(["u", "v"])
)


def test_a_remote_study_is_the_same_study(url: str) -> None:
    """The same asks and tells give the same proposals, here and there."""
    with cs.Client(url) as client:
        options = {"name": "twins", "policy": "v-ucb", "seed": 3, "direction": "minimize"}
        there = client.create_study(SPACE, **options)  # type: ignore[arg-type]
        here = cs.create_study(SPACE, **options)  # type: ignore[arg-type]
        assert there.problem == here.problem
        for i in range(6):
            far, near = there.ask(), here.ask()
            for field in ("id", "values", "prediction", "terms", "theta", "seen"):
                assert getattr(far, field) == getattr(near, field)
            for study, proposal in ((there, far), (here, near)):
                study.tell(proposal, float(i * 7 % 5))  # type: ignore[attr-defined]
        assert (
            there.what_if(far.values)
            .attribution.table()
            .equals(here.what_if(near.values).attribution.table())
        )
        assert there.explain(far).sentence() == here.explain(near).sentence()
        assert there.predict(far.values) == here.predict(near.values)
        batch = there.ask(2)
        assert [p.id for p in there.pending] == [p.id for p in batch]
        assert len(there.facts) == 14
        for field in ("values", "value"):
            assert getattr(there.best, field) == getattr(here.best, field)
        assert there.best is not None
        assert there.best.proposal == there.proposal(there.best.proposal or "")
        assert there.best.observation in there.observations
        assert there.replay().identical
        assert client.load_study("twins").problem == there.problem
        assert "twins" in [s.name for s in client.list_studies()]
        client.delete_study("twins")


def test_all_verbs(url: str) -> None:
    with cs.Client(url) as client:
        study = client.create_study(cs.Arms([[0.0], [1.0], [2.0]]), name="verbs", policy="random")
        first, second, third = study.ask(3)
        assert study.accept(first, actor="ann").actor == "ann"
        own = study.override(second, dict(third.values), actor="ann", reason="idea")
        assert own.values == third.values
        assert study.reject(third, reason="no").kind == "reject"
        told = study.tell(first, 1.0, idempotency_key="k")
        assert study.tell(first, 1.0, idempotency_key="k") == told
        assert study.revise(told, 2.0, reason="typo").outcomes == {"objective": 2.0}
        assert study.observations[0].outcomes == {"objective": 2.0}
        assert study.compare(winner=first, loser=second).winner == first.values
        assert [c.loser_proposal for c in study.comparisons] == [second.id]
        assert [d.kind for d in study.decisions] == ["accept", "override", "reject"]
        assert study.hold(second, actor="ann", seconds=5).actor == "ann"
        assert len(study.leases) == 1
        study.release(second, actor="ann")
        assert study.leases == ()
        assert study.withdraw(told).fact == told.id
        assert study.tell({"x1": 0.0}, 5.0).proposal is None


def test_settings_and_keys(url: str) -> None:
    space = cs.Space(x=cs.Float(0, 1))
    with cs.Client(url) as client:
        policy = {"name": "v-ucb", "settings": {"kappa": 3.0}}
        made = client.create_study(space, name="keyed", policy=policy, idempotency_key="one")
        again = client.create_study(space, name="keyed", policy=policy, idempotency_key="one")
        assert again.setup == made.setup
        assert "3.0" in str(made.setup.policy)
        with pytest.raises(cs.Conflict, match="'one'"):
            client.create_study(space, name="other", policy=policy, idempotency_key="one")
        opened = client.create_study(space, name="keyed", policy=policy, load_if_exists=True)
        assert opened.setup == made.setup
        with pytest.raises(cs.InvalidInput, match="kapa"):
            client.create_study(space, name="x", policy={"name": "ei", "settings": {"kapa": 1}})
        with pytest.raises(cs.InvalidInput, match="finite"):
            made.tell({"x": 0.5}, float("nan"))


def test_what_people_prefer(url: str) -> None:
    """The policy follows from the objective, as at home."""
    with cs.Client(url) as client:
        study = client.create_study(
            cs.Space(x=cs.Float(0, 1)), name="liked", objective="preference"
        )
        assert study.setup.policy_name == "preference"
        assert study.best is None
        first, second = study.ask(2)
        study.compare(winner=second, loser=first, actor="ann")
        assert study.best is not None
        assert study.best.proposal == second
        assert study.best.observation is None


def test_reasons_and_overrides_of_people(url: str) -> None:
    """A person's own reasons, and what overriding was worth: the same numbers as at home."""
    space = cs.Space(lifting=cs.Float(0, 50), lowering=cs.Float(0, 50))
    with cs.Client(url) as client:
        options = {"name": "people", "seed": 3}
        there = client.create_study(space, **options)  # type: ignore[arg-type]
        here = cs.create_study(space, **options)  # type: ignore[arg-type]
        for study in (there, here):
            for i in range(6):
                study.tell({"lifting": 9.0 * i, "lowering": 50 - 8.0 * i}, -float((i - 3) ** 2))
            assert study.overriding() == ()
            proposal = study.ask()
            assert study.alignment(proposal, actor="ann") is None
            study.override(proposal, {"lifting": 40.0, "lowering": 5.0}, actor="ann")
            study.tell(proposal, 1.0)
            study.ask()
        far, near = there.alignment("p2", actor="ann"), here.alignment("p2", actor="ann")
        assert far == near
        assert far is not None
        assert far.choices == 1
        assert there.alignment("p2", actor="ben") is None
        assert there.overriding() == here.overriding()
        assert [(o.actor, o.each[0].proposal) for o in there.overriding()] == [("ann", "p1")]
        low, high = there.overriding()[0].interval
        assert low < there.overriding()[0].gain < high


def test_what_is_believed_of_constraints(url: str) -> None:
    arms = cs.Arms([{"a": i / 5} for i in range(6)])
    limits = [cs.Constraint("calm", at_least=0.2), cs.Constraint("heat", at_most=1.5)]
    with cs.Client(url) as client:
        options = {"name": "limits", "constraints": limits, "policy": "dmcl"}
        there = client.create_study(arms, **options)  # type: ignore[arg-type]
        here = cs.create_study(arms, **options)  # type: ignore[arg-type]
        assert there.chances({"a": 0.2}) == {}
        with pytest.raises(cs.NothingToExplain):
            there.safe_sets()
        for study in (there, here):
            for a in (0.0, 0.4, 1.0):
                answers = {"calm": 1.2 - 2.0 * a, "heat": 0.5 + 0.1 * a}
                study.tell({"a": a}, a, constraints=answers)
        assert there.chances({"a": 0.2}) == here.chances({"a": 0.2})
        assert there.safe_sets().tolist() == here.safe_sets().tolist()
        far, near = there.ask(), here.ask()
        assert far.asks == near.asks
        assert far.chances == near.chances
        assert there.next_question(far) == here.next_question(near)
        with pytest.raises(cs.InvalidInput, match="Give one number"):
            there.tell(far, constraints={"calm": "yes"})
        tried = client.create_study(arms, name="tried", policy="ei")
        for a in (0.0, 0.2, 0.4):
            tried.tell({"a": a}, a)
        tried.fail({"a": 1.0})
        assert 0.0 < tried.chances({"a": 1.0})["success"] < 0.5
        felt = [cs.Constraint("calm", answer="yes/no")]
        there = client.create_study(arms, name="felt", constraints=felt)
        for said in ("yes", False):
            there.tell({"a": 0.0}, 1.0, constraints={"calm": said})
        assert [each.outcomes["calm"] for each in there.observations] == [1.0, 0.0]


def test_what_the_service_refuses_is_raised_as_at_home(url: str) -> None:
    with cs.Client(url) as client:
        study = client.create_study(cs.Space(x=cs.Float(0, 1)), name="refusals")
        with pytest.raises(cs.InvalidInput, match="between 0") as refused:
            study.what_if({"x": 2.0})
        assert (refused.value.field, refused.value.value) == ("x", 2.0)
        with pytest.raises(cs.NothingToExplain):
            study.what_if({"x": 0.5})
        proposal = study.ask()
        won = study.reject(proposal, actor="ann")
        with pytest.raises(cs.Conflict, match="ann") as lost:
            study.accept(proposal)
        assert lost.value.fact == won
        with pytest.raises(cs.NotFound):
            client.load_study("nowhere")
        with pytest.raises(cs.Conflict):
            client.create_study(cs.Space(x=cs.Float(0, 1)), name="refusals")
        with pytest.raises(cs.InvalidInput, match="http"):
            cs.Client("localhost:8000")
    with cs.Client("http://127.0.0.1:9", timeout=1) as nobody, pytest.raises(cs.CounselError):
        nobody.list_studies()


@pytest.mark.parametrize("kind", [kind for kind, _, _ in problem_details._KINDS])
def test_every_error_arrives_as_what_it_was(kind: type[cs.CounselError]) -> None:
    raised: Any = {cs.InvalidInput: lambda: cs.InvalidInput("x", 2, "Give 1.")}
    error = raised.get(kind, lambda: kind("A sentence."))()
    answer = problem_details.of(error)
    arrived = connection._error(httpx.Response(answer.status_code, content=bytes(answer.body)))
    assert (type(arrived), str(arrived)) == (kind, str(error))


def test_a_client_with_a_token(guarded: tuple[str, Tokens]) -> None:
    address, tokens = guarded
    _, text = tokens.create("ann", "owner")
    with cs.Client(address, token=text) as client:
        study = client.create_study(cs.Space(x=cs.Float(0, 1)), name="mine", policy="random")
        assert study.accept(study.ask(), actor="ben").actor == "ann"
        past = [PastTrial({"x": i / 4}, {"objective": float(i)}, actor="ben") for i in range(4)]
        assert {told.actor for told in study.tell_many(past)} == {"ann"}
        believing = client.create_study(cs.Space(x=cs.Float(0, 1)), name="seen")
        believing.tell_many(past)
        believing.explain({"x": 0.5})
        assert [seen.actor for seen in believing.shown] == ["ann"]  # the token says who
    with cs.Client(address) as nobody, pytest.raises(cs.CounselError, match="token"):
        nobody.list_studies()


def test_who_is_told_to_wait_waits() -> None:
    """More requests than the service takes at once: they all arrive, in their own time."""
    with running(limits=Limits(rate=4.0, burst=2.0)) as url, cs.Client(url) as client:
        began = time.monotonic()
        study = client.create_study(cs.Space(x=cs.Float(0, 1)), name="slowly", policy="random")
        for i in range(3):
            study.tell(study.ask(), float(i))
        assert len(study.observations) == 3
        assert time.monotonic() - began > 1.0
