"""Looks for what the reasons for a proposal rest on: other fits, and trials left out in turn.

Other fits and shorter histories are compared with fewer points than an explanation has: they are
many, and points spread evenly over a space stay so when only the first of them are taken.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from counsel.errors import NothingToExplain
from counsel.explain.grounds import (
    Grounds,
    PersonInfluence,
    TrialInfluence,
    gain,
    leading,
    survives,
)
from counsel.explain.sentence import phrase
from counsel.facts.history import History, Mask
from counsel.facts.kept import Kept
from counsel.facts.problem import Problem
from counsel.facts.records import Failure, Observation, Proposal
from counsel.facts.summaries import Setup
from counsel.facts.wanted import give_way
from counsel.policies.protocol import Doubting, Policy
from counsel.space import AnySpace
from counsel.storage.ledger import Ledger
from counsel.study.beliefs import Beliefs
from counsel.study.explaining import Explaining

__all__ = ["Grounding"]

FITS = 10
MOST_TRIALS = 64
_POINTS = 128
_BUDGET = 2**16  # points scored for another fit: all coalitions of nine parameters, some of more
_TOLERANCE = 0.05  # of their values, then: whether a reason stands out takes no more
NEAREST = "Of {count} trials, the {most} nearest to the proposal were left out in turn."
KEPT = "Answers about constraints count throughout, whoever gave them."
Trial: TypeAlias = Observation | Failure

NO_FITS = "This policy has no other fits to offer, and cannot leave trials out."


class Grounding:
    """Rebuilds what a proposal maximised under other fits and with fewer trials."""

    def __init__(
        self,
        setup: Setup,
        ledger: Ledger,
        beliefs: Beliefs,
        explaining: Explaining,
        policy: Callable[[], Policy],
    ) -> None:
        self._created = setup.problem
        self._ledger = ledger
        self._beliefs = beliefs
        self._explaining = explaining
        self._policy = policy

    def grounds(self, proposal: Proposal | str) -> Grounds:
        with self._ledger.current() as state:
            found, policy = state.find(proposal), self._policy()
            if not found.terms:
                raise NothingToExplain(f"No model led to proposal {found.id!r}: it has no grounds.")
            why = self._explaining.explain(found)
            cell = leading(why)
            reason = "" if cell is None else phrase(why, *cell)
            if not isinstance(policy, Doubting) or not found.theta:
                rated = float(why.worth.sum())
                return Grounds(found.id, reason, 0, 0, rated, (), (), NO_FITS)
            before = self._ledger.state_after(found.seen)
            history = self._beliefs.history_of(found, before)
            told: list[Trial] = [*before.observations.values(), *before.failures.values()]
        # The rest takes long and needs no later facts: meanwhile others may write some.
        one = _Round(history.problem(self._created), history, found, policy)
        fits = [] if cell is None else one.fits()
        holds = sum(one.holds(theta, cell) for theta in fits if cell is not None)
        trials, note = _trials(one, told)
        people = _people(one, told)
        kept = KEPT if history.measured[:, 1:].any() else ""
        note = " ".join(filter(None, (note, kept)))
        return Grounds(found.id, reason, len(fits), holds, one.rated, trials, people, note)


class _Round:
    """The round of one proposal, and how its proposal is rated if things were different."""

    def __init__(
        self, problem: Problem, history: History, found: Proposal, policy: Doubting
    ) -> None:
        from counsel.explain.background import background_for

        self.problem, self.history, self.found, self.policy = problem, history, found, policy
        whole = background_for(problem.space)
        self._against = whole._replace(points=whole.points[:_POINTS])
        self.rated = self._rate(policy.score(problem, history, found.theta))

    def fits(self) -> list[tuple[float, ...]]:
        return self.policy.other_fits(self.problem, self.history, self.found.theta, FITS)

    def holds(self, theta: tuple[float, ...], cell: tuple[int, int]) -> bool:
        """Whether a contribution still speaks for the proposal under another fit."""
        from counsel.explain.methods import attribute

        give_way()
        score = self.policy.score(self.problem, self.history, theta)
        why = attribute(
            score,  # type: ignore[arg-type]
            self.problem.space,
            self.found.values,
            context=self.found.context,
            background=self._against,
            budget=_BUDGET,
            tolerance=_TOLERANCE,
            direction=self.problem.objective.direction,
        )
        return survives(why, cell)

    def change(self, gone: Mask) -> float:
        """How much further above average the proposal is rated because of some trials.

        `gone` has an entry for each observation, and one for each failure after them.
        """
        give_way()
        count = len(self.history.points)
        failed = self.history.failed[~gone[count:]]
        history = replace(self.history, failed=failed, fresh=False, kept=Kept())
        less = history.without(gone[:count])
        score = self.policy.score_from(self.problem, history, less, self.found.theta)
        return self.rated - self._rate(score)

    def _rate(self, score: object) -> float:
        from counsel.explain.game import at_point, each, weights_between
        from counsel.explain.methods import game_of

        space: AnySpace = self.problem.space
        game = game_of(score, space, self.found.values, self.found.context, self._against)  # type: ignore[arg-type]
        here = at_point(game)
        averages = each(game, np.zeros((1, game.players), dtype=bool))
        parts = {name: float(part) for name, part in here.parts.items()}
        average = {name: float(part.mean()) for name, part in averages.items()}
        return gain(parts, average, weights_between(game.score, here, average, parts))


def _trials(one: _Round, told: list[Trial]) -> tuple[tuple[TrialInfluence, ...], str]:
    history, space = one.history, one.problem.space
    known = np.concatenate([history.measured[:, 0], np.ones(len(history.failed), dtype=bool)])
    if history.measured[:, 0].sum() < 2:
        return (), ""
    here = space.encode(one.found.values)
    at = np.concatenate([history.points[:, : space.dim], history.failed[:, : space.dim]])
    rows = np.flatnonzero(known)
    far = ((at[rows] - here) ** 2).sum(axis=1)
    some = sorted(rows[np.argsort(far, kind="stable")[:MOST_TRIALS]].tolist())
    found = [
        TrialInfluence(told[row].id, told[row].actor, one.change(np.arange(len(told)) == row))
        for row in some
    ]
    note = "" if len(some) == len(rows) else NEAREST.format(count=len(rows), most=len(some))
    return tuple(sorted(found, key=lambda each: -abs(each.change))), note


def _people(one: _Round, told: list[Trial]) -> tuple[PersonInfluence, ...]:
    measured = one.history.measured[:, 0]
    known = np.concatenate([measured, np.ones(len(one.history.failed), dtype=bool)])
    found = []
    for actor in dict.fromkeys(each.actor for each in told):
        own = np.array([each.actor == actor for each in told])
        if (known & own).any() and (measured & ~own[: len(measured)]).any():
            found.append(PersonInfluence(actor, int((known & own).sum()), one.change(own)))
    return tuple(sorted(found, key=lambda each: -abs(each.change)))
