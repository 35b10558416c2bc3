"""One posterior per state of the facts: counted in fits and factorisations, not in seconds."""

import dataclasses
import threading
from typing import Any

import numpy as np
import pytest

import counsel as cs
from counsel.acquisition import maximise
from counsel.facts.aliases import modern
from counsel.models import fit as fitting
from counsel.policies import bandit, scaling
from counsel.policies.default import default_policy
from counsel.policies.scaling import Scaling

SPACE = cs.Space(a=cs.Float(0, 1), b=cs.Float(0, 1))
POINT = {"a": 0.2, "b": 0.6}


def asked_here() -> bool:
    """Not in a thread that only makes the programs of a round."""
    return threading.current_thread() is threading.main_thread()


class Counts:
    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.fits = self.posteriors = 0
        fit, posterior_at = scaling.fit, scaling.posterior_at

        def counted_fit(*args: Any, **kwargs: Any) -> Any:
            self.fits += asked_here()
            return fit(*args, **kwargs)

        def counted_posterior(*args: Any, **kwargs: Any) -> Any:
            self.posteriors += asked_here()
            return posterior_at(*args, **kwargs)

        monkeypatch.setattr(scaling, "fit", counted_fit)
        monkeypatch.setattr(scaling, "posterior_at", counted_posterior)

    def since(self) -> tuple[int, int]:
        found = self.fits, self.posteriors
        self.fits = self.posteriors = 0
        return found


@pytest.fixture
def counts(monkeypatch: pytest.MonkeyPatch) -> Counts:
    return Counts(monkeypatch)


def tried(study: cs.Study, count: int = 6) -> cs.Study:
    rng = np.random.default_rng(0)
    for a, b in rng.uniform(size=(count, 2)):
        study.tell({"a": float(a), "b": float(b)}, float(np.sin(4 * a) - (b - 0.4) ** 2))
    return study


def test_ask_predict_what_if_best_and_explain_share_a_posterior(counts: Counts) -> None:
    study = tried(cs.create_study(SPACE, seed=1))
    study.predict(POINT)
    assert counts.since() == (1, 1)
    proposal = study.ask()
    study.explain(proposal)
    assert study.best is not None
    study.predict(POINT)
    study.predict({"a": 0.9, "b": 0.1})
    study.what_if(POINT)
    assert counts.since() == (0, 0)


def test_a_measurement_is_fitted_once(counts: Counts) -> None:
    study = tried(cs.create_study(SPACE, seed=1))
    proposal = study.ask()
    counts.since()
    study.tell(proposal, 0.3)
    for _ in range(3):
        study.predict(POINT)
    study.ask()
    assert counts.since() == (1, 1)


def test_a_batch_is_one_fit_and_hardly_more_factorisations_than_one_ask(counts: Counts) -> None:
    study = tried(cs.create_study(SPACE, seed=1))
    batch = study.ask(6)
    fits, posteriors = counts.since()
    assert fits == 1
    assert posteriors <= 2  # with room for 4 pending trials, with room for 16
    assert len({tuple(p.values.values()) for p in batch}) == 6
    assert len({p.theta for p in batch}) == 1


def test_constraints_are_fitted_once_for_all_questions(counts: Counts) -> None:
    limit = cs.Constraint("g", at_least=0.0)
    study = cs.create_study(SPACE, constraints=[limit], seed=1)
    for a in (0.1, 0.4, 0.6, 0.9):
        study.tell({"a": a, "b": 0.5}, a, constraints={"g": 0.7 - a})
    study.ask(3)
    study.chances(POINT)
    assert study.best is not None
    assert counts.since()[0] == 2  # the objective, the constraint


@pytest.mark.parametrize("policy", [None, "v-ucb", "ei", "ts", "uncertainty-aware"])
def test_what_is_kept_changes_nothing(policy: str | None) -> None:
    """Asked with and without other questions in between, one by one and in batches."""
    quiet, busy = (tried(cs.create_study(SPACE, policy=policy, seed=2)) for _ in range(2))
    for n in (None, 3, None):
        busy.predict(POINT)
        for study in (quiet, busy):
            asked = study.ask(n) if n else [study.ask()]
            if study is busy:
                study.predict(POINT)
            for proposal in asked:
                study.tell(proposal, float(np.sin(4 * float(proposal.values["a"]))))  # type: ignore[arg-type]
    ours, theirs = (
        [
            (p.values, p.terms, p.theta, p.prediction)
            for p in study.facts
            if isinstance(p, cs.Proposal)
        ]
        for study in (quiet, busy)
    )
    assert ours == theirs
    assert busy.replay().identical


def test_a_correction_or_a_withdrawal_is_fitted_anew(counts: Counts) -> None:
    study = tried(cs.create_study(SPACE, seed=1))
    first = study.observations[0]
    study.ask()
    counts.since()
    study.revise(first, 5.0)
    study.predict(POINT)
    assert counts.since()[0] == 1
    study.withdraw(first)
    study.predict(POINT)
    assert counts.since()[0] == 1
    assert study.replay().identical


@pytest.mark.parametrize("quiet", [None, 1e-3])
def test_many_observations_are_fitted_in_part_and_seen_through_a_few(
    quiet: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows: list[int] = []
    fit = fitting.fit

    def noted(like: Any, data: Any, *args: Any, **kwargs: Any) -> Any:
        rows.append(int(np.sum(data.mask)))
        return fit(like, data, *args, **kwargs)

    monkeypatch.setattr(scaling, "fit", noted)
    small = Scaling(fit_rows=32, exact_rows=48, inducing=32, quiet=quiet)
    policy = default_policy(cs.Problem(SPACE))
    assert isinstance(policy, bandit.Bandit)
    study = cs.create_study(SPACE, policy=dataclasses.replace(policy, scaling=small), seed=1)
    tried(study, 60)
    exact = tried(cs.create_study(SPACE, seed=1), 60)
    proposals = study.ask(2)
    assert max(rows) == 32
    assert study.replay().identical
    for values in (p.values for p in proposals):
        ours, theirs = study.predict(values), exact.predict(values)
        assert ours is not None
        assert theirs is not None
        assert abs(ours.mean - theirs.mean) < 3.0 * max(ours.sd, theirs.sd)
    why = study.explain(proposals[0])
    assert why.base + why.values.sum(axis=1) == pytest.approx(why.total)


def test_a_stored_policy_from_before_keeps_fitting_every_round() -> None:
    from counsel.facts.aliases import modern
    from counsel.policies.description import describe, make

    written = describe(bandit.Bandit(cs.acquisition.VUCB()))
    del written["settings"]["scaling"]
    old = make(modern(written))
    assert isinstance(old, bandit.Bandit)
    assert old.scaling is None
    study = tried(cs.create_study(SPACE, policy=old, seed=1))
    batch = study.ask(3)
    assert len({p.theta for p in batch}) == 3
    assert study.replay().identical


def test_many_observations_are_reason_to_save_effort_in_new_studies_only(
    counts: Counts, monkeypatch: pytest.MonkeyPatch
) -> None:
    efforts: list[maximise.Effort] = []
    search = maximise.over_box

    def noted(*args: Any, **kwargs: Any) -> Any:
        if asked_here():
            efforts.append(kwargs["effort"])
        return search(*args, **kwargs)

    monkeypatch.setattr(maximise, "over_box", noted)
    monkeypatch.setattr(scaling, "_MANY", 16)
    policy = default_policy(cs.Problem(SPACE))
    assert isinstance(policy, bandit.Bandit)
    found = {}
    for rows in (16, None):
        own = dataclasses.replace(policy, scaling=Scaling(light_rows=rows), pooled=False)
        study = tried(cs.create_study(SPACE, policy=own, seed=1), 16)
        counts.since()
        study.ask(6)
        found[rows] = counts.since(), tuple(efforts)
        efforts.clear()
        assert study.replay().identical
        efforts.clear()
    assert found[16] == ((1, 1), (maximise.TOGETHER, *[maximise.LIGHT] * 5))
    assert found[None] == ((1, 2), (maximise.TOGETHER,) * 6)


def test_a_policy_stored_without_a_limit_never_saves_effort() -> None:
    stored = {"tag": "scaling", "settings": {"fit_rows": 64, "exact_rows": 64, "inducing": 32}}
    completed = modern(stored)["settings"]
    assert completed["light_rows"] is None
    assert not Scaling(**completed).light(10_000)
