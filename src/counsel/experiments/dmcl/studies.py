"""Runs of a policy in a real study: ask, measure, answer one question after the other, tell.

What is measured here is what a user gets: the policy's own settings, the study's own code, nothing
known beforehand but the arm to start from. Noise comes from the seed alone and is the same for
every method.
"""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from counsel.constraints.certificate import Certificate, certify
from counsel.experiments.experiment import Experiment, Method
from counsel.facts.problem import Constraint
from counsel.study import Study, create_study
from counsel.worlds.constrained import ConstrainedWorld

__all__ = ["NOISE_STREAM", "Changing", "Played", "play", "play_blocks"]

NOISE_STREAM = 1
# All bounds of all rounds are to hold together with this probability.
_JOINT = 0.9
_LEVELS = 5


@dataclass(frozen=True, eq=False)
class Played:
    """A policy in a study, by name, with `settings`.

    `sequential` asks one question after the other. `answer` is how people answer: a number, yes or
    no, or a level of five. `start` names the world's safe arm as `safe`. `strictness` is the sd of
    how much lower than the truth each of `people` answers.
    """

    policy: Any
    sequential: bool = True
    answer: str = "number"
    people: int = 1
    strictness: float = 0.0

    def constraints(self, world: ConstrainedWorld) -> list[Constraint]:
        if self.answer == "yes/no":
            return [Constraint(name, answer="yes/no") for name in world.constraints]
        if self.answer == "scale":
            return [
                Constraint(name, at_least=3, answer="scale", levels=_LEVELS)
                for name in world.constraints
            ]
        return world.records()

    def said(self, margin: float) -> float:
        """What a person says who feels this margin."""
        if self.answer == "yes/no":
            return float(margin >= 0.0)
        if self.answer == "scale":  # levels half a unit wide, the third begins at 0
            return float(np.clip(3.0 + np.floor(2.0 * margin), 1, _LEVELS))
        return margin


class Changing(NamedTuple):
    """A world whose outcomes grow by `drift` a round."""

    world: ConstrainedWorld
    drift: np.ndarray


def play_blocks(experiment: Experiment, world: str, method: Method, seeds: range) -> pd.DataFrame:
    """One row per seed and round."""
    played = method.acquisition_in(world)
    assert isinstance(played, Played)
    rounds = experiment.rounds_in(world)
    parts = []
    for seed in seeds:
        built: Any = experiment.worlds[world](seed)
        instance, drift = built if isinstance(built, Changing) else (built, None)
        parts.append(play(played, instance, rounds, seed, drift))
    return pd.concat(parts, ignore_index=True)


def play(
    played: Played,
    world: ConstrainedWorld,
    rounds: int,
    seed: int,
    drift: np.ndarray | None = None,
) -> pd.DataFrame:
    """A study of `rounds` trials; `drift` (m,) is added to the truth in every round."""
    outputs = len(world.payoffs)
    rng = np.random.default_rng([seed, NOISE_STREAM])
    noise = rng.normal(0.0, world.noise, (rounds, outputs))
    strict = rng.normal(0.0, 1.0, played.people) * played.strictness
    seeded = dict(world.space[world.start])
    policy = replace_safe(played.policy, seeded)
    study = create_study(
        world.space, constraints=played.constraints(world), policy=policy, seed=seed
    )
    rows = []
    for t in range(rounds):
        truth = world.payoffs if drift is None else world.payoffs + t * drift[:, None]
        proposal = study.ask()
        arm = world.space.index(proposal.values)
        exploring = "improvement" in proposal.terms or "ambiguity" in proposal.terms
        seen = truth[:, arm] + noise[t]
        person = t % played.people
        actor = f"person {person}"
        felt = {
            name: played.said(float(value - strict[person]))
            for name, value in zip(world.constraints, seen[1:], strict=True)
        }
        if played.sequential:
            study.tell(proposal, float(seen[0]), actor=actor)
            asked = 0
            while (question := study.next_question(proposal)) is not None:
                study.tell(proposal, constraints={question: felt[question]}, actor=actor)
                asked += 1
        else:
            answers = {name: felt[name] for name in proposal.asks}
            study.tell(proposal, float(seen[0]), constraints=answers, actor=actor)
            asked = len(proposal.asks)
        safe = np.all(truth[1:] >= 0.0, axis=0)
        known = _certified(study, world)
        kept = [True] if played.answer != "number" else _covered(known, truth, t + 1)
        advised = _advised(known)
        best = int(np.argmax(np.where(safe, truth[0], -np.inf)))
        worst = float(truth[0].min())
        rows.append(
            {
                "seed": seed,
                "round": t + 1,
                "arm": arm,
                "exploring": exploring and t > 0,
                "asked": asked,
                "regret": float(truth[0, best] - (truth[0, arm] if safe[arm] else worst)),
                "unsafe": not safe[arm],
                "violation": float(np.maximum(-truth[1:, arm], 0.0).sum()),
                "advised": advised,
                "found": advised == best,
                "covered": all(kept),
                "margins_covered": all(kept[1:]),
                "certified": int(known.certified.sum()),
                "wrong": bool((known.certified & ~safe).any()),
                "noted": "seem to change over time" in proposal.note,
            }
        )
    return pd.DataFrame(rows)


def replace_safe(policy: Any, safe: dict[str, Any]) -> Any:
    return replace(policy, safe=tuple(safe.items())) if hasattr(policy, "safe") else policy


def _certified(study: Study, world: ConstrainedWorld) -> Certificate:
    """What the study certifies now, of every arm, as its `safe_set` would."""
    history = study._beliefs.history(study._ledger.state)
    policy: Any = study.policy
    return certify(
        study.problem,
        history,
        world.space.points,
        certainty=policy.certainty,
        safe=None if policy.safe is None else dict(policy.safe),
        drifting=policy.drifting,
        unasked=policy.unasked,
        jointly=policy.attentive,
        centred=policy.centred,
    )


def _advised(known: Certificate) -> int:
    if known.certified.any():
        return int(np.argmax(np.where(known.certified, known.surely, -np.inf)))
    return int(np.argmax(known.chance))


def _covered(known: Certificate, truth: np.ndarray, t: int) -> list[bool]:
    """Of each outcome, whether its bounds of round t hold; jointly they hold in all rounds."""
    delta = (1.0 - _JOINT) * 6.0 / (np.pi**2 * t**2 * truth.size)
    return [bool(each) for each in known.bounded(truth, delta)]
