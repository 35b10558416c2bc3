"""What came of a trial, in words: judged by what a measurement was expected to be."""

import numpy as np

import counsel as cs
from counsel.facts.records import PastTrial
from counsel.service.web.outcome import come_of, expectations

NOISE = 0.5


def noisy(seed: int = 0) -> cs.Study:
    """Many repeats: the payoff is well known, a single measurement is not."""
    study = cs.create_study(cs.Space(x=cs.Float(0, 1), y=cs.Float(0, 1)), policy="v-ucb", seed=seed)
    rng = np.random.default_rng(seed)
    study.tell_many(
        PastTrial({"x": x, "y": 0.5}, {"objective": 2.0 * x + NOISE * rng.standard_normal()})
        for x in [0.0, 0.25, 0.5, 0.75, 1.0] * 12
    )
    return study


def said_of(away: float) -> str:
    """What is said of a measurement so many sds of the noise above what is expected."""
    study = noisy()
    proposal = study.ask()
    study.accept(proposal)
    values = {"x": 0.5, "y": 0.5}
    before = expectations(study, proposal, values)
    assert before.here is not None
    payoff = study.predict(values)
    assert payoff is not None
    assert before.here.sd > 2.0 * payoff.sd
    made = study.tell(values, before.here.mean + away * NOISE)
    return come_of(study, proposal, made, before).sentence


def test_noise_is_no_surprise() -> None:
    assert "as expected" in said_of(1.5)  # beyond three sds of the belief about the payoff
    assert "surprise" in said_of(5.0)
    assert "95% of measurements" in said_of(0.0)


def test_the_pictures_of_before_and_after_are_on_one_scale() -> None:
    for space, trials in (
        (cs.Space(x=cs.Float(0, 1), y=cs.Float(0, 1)), 4),
        (cs.Space(x=cs.Float(0, 1), kind=cs.Categorical(["a", "b"])), 4),
        (cs.Arms([{"x": float(x), "k": k} for x in range(3) for k in ("a", "b")]), 4),
    ):
        study = cs.create_study(space, seed=1)
        for number in range(trials):
            study.tell(study.ask(), float(number**2))
        proposal = study.ask()
        before = expectations(study, proposal, proposal.values)
        found = come_of(study, proposal, study.tell(proposal, 50.0), before)
        assert found.pictures is not None
        first, second = found.pictures
        assert len(second["trials"]) == len(first["trials"]) + 1
        assert first["scale"] == second["scale"]
        for view, after in zip(first["views"], second["views"], strict=True):
            ends = ("low", "high", "lowest", "highest")
            assert [view.get(end) for end in ends] == [after.get(end) for end in ends]
            assert view["y"] == after["y"]


def test_answers_of_a_simulated_world_are_told() -> None:
    study = cs.create_study(
        cs.Space(x=cs.Float(0, 1)),
        objective="speed",
        constraints=[cs.Constraint("comfort", at_least=0.0)],
        seed=1,
    )
    proposal = study.ask()
    before = expectations(study, proposal, proposal.values)
    made = study.tell(proposal, 2.0, constraints={"comfort": -0.25})
    sentence = come_of(study, proposal, made, before).sentence
    assert sentence == "Got 2 with comfort −0.25: comfort did not hold."
