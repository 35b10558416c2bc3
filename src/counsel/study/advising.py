"""Should a person step in? What both points promise, and what the person's advice was worth."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from counsel.errors import InvalidInput, NothingToExplain
from counsel.explain.background import background_for
from counsel.facts.checks import check_actor
from counsel.facts.history import Array, Mask
from counsel.facts.records import Decision, Proposal, Value
from counsel.facts.state import StudyState
from counsel.facts.summaries import Setup
from counsel.policies.protocol import Policy
from counsel.space import AnySpace, Arms
from counsel.storage.ledger import Ledger
from counsel.study.beliefs import Beliefs
from counsel.study.comparing import Comparing
from counsel.study.explaining import Explaining
from counsel.study.keeping import Keeping, keeping
from counsel.teams.advice import (
    Advice,
    Past,
    Sides,
    TrackRecord,
    advise,
    gaussian,
    track_record,
)
from counsel.teams.alignment import Alignment, reasons
from counsel.teams.deciding import AHEAD, Ruling, Situation, numeric, teams

if TYPE_CHECKING:
    from counsel.models.mixture import Fits, Mixture

__all__ = ["Advising"]

_Place = tuple[Mapping[str, Value], Mapping[str, Value]]  # values, and the context
_KEPT = 256  # past choices whose surprise is remembered
# How likely a point has to keep the constraints and work, to be tried, as a share of the
# proposal's chance.
_KEEPS = 0.8
# A payoff past the limit of a scale is a surprise without end: it counts as this many sds.
_STUNNED = 6.0


class Advising:
    """Compares a person's point with a proposal; remembers what each past choice was worth."""

    def __init__(
        self,
        setup: Setup,
        ledger: Ledger,
        beliefs: Beliefs,
        explaining: Explaining,
        comparing: Comparing,
        policy: Callable[[], Policy],
    ) -> None:
        self._team = setup.team
        self._version = setup.team_version
        self._ledger = ledger
        self._beliefs = beliefs
        self._explaining = explaining
        self._comparing = comparing
        self._policy = policy
        self._past: dict[object, Past | None] = {}
        self._aligned: tuple[object, Alignment | None] = None, None

    def advise(
        self, proposal: Proposal | str, mine: Mapping[str, Value] | None, actor: str
    ) -> Advice:
        check_actor(actor)
        with self._ledger.current() as state:
            found, space = state.find(proposal), state.problem.space
            own = None if mine is None else space.validate(mine)
            same = own is not None and own == dict(found.values)
            over = all(each.id != found.id for each in state.pending)
            apart = own is not None and not same and not over
            sides = self._sides(state, found, own) if own is not None and apart else None
            past = self._record(state, actor)
            forecasts, right = self._forecasts(state, actor)
            kind = None if sides is None else sides.kind
            record = track_record(space.names, past, kind, forecasts, right)
            ruling: Ruling | None = None
            if self._team is not None and own is not None and apart:
                situation = self._situation(state, found, own, actor, sides, record, past)
                ruling = teams.get(self._team).thing(situation)
            return advise(
                found.id,
                actor,
                own,
                sides,
                record,
                self._alignment(found, actor),
                same=same,
                over=over,
                nothing=self._nothing(state) if sides is None else "",
                rule=self._team,
                follows=None if ruling is None else ruling.tries,
                because="" if ruling is None else ruling.because,
            )

    def decide(
        self, proposal: Proposal | str, mine: Mapping[str, Value], actor: str, key: str | None
    ) -> Decision:
        if self._team is None:
            raise InvalidInput(
                "team",
                None,
                "This study has no rule: decide with accept or override, or create it with "
                "team='fused'.",
            )
        found = self.advise(proposal, mine, actor)
        stepping = found.recommendation == "step in" or found.third is not None
        kind = "override" if stepping else "accept"
        return self._comparing.decide_as_a_team(
            found.proposal,
            mine,
            kind,  # type: ignore[arg-type]
            actor,
            f"{self._team}: {found.why}",
            key,
            None if found.third is None else (self._team, found.third),
        )

    def _nothing(self, state: StudyState) -> str:
        """Why there is no belief about two points: nothing is known, or nothing is believed."""
        history = self._beliefs.history(state)
        if len(history.y) + len(history.comparisons):
            return "The policy expects nothing of either"
        said = "compared" if state.problem.objective.preferred else "measured"
        return f"Nothing has been {said} yet, so the model expects nothing of either"

    # ---- both points ---------------------------------------------------------------------------

    def _alignment(self, found: Proposal, actor: str) -> Alignment | None:
        """Cached while the facts are the same, because it explains every choice of the person."""
        key = self._ledger.generation, self._ledger.state.count, found.id, actor
        if self._aligned[0] != key:
            try:
                self._aligned = key, self._explaining.alignment(found, actor)
            except NothingToExplain:  # a first trial has no reasons
                self._aligned = key, None
        return self._aligned[1]

    def _sides(self, state: StudyState, found: Proposal, own: Mapping[str, Value]) -> Sides | None:
        """Both points under what is known today; what is under way has not come out yet."""
        believed = self._explaining.jointly(expecting=False)
        if believed is None:
            return None
        points = _points(state, found, found.values, own)
        mean, covariance = believed(points)
        keeps = self._keeps(state, found, points)
        return Sides(
            np.asarray(mean),
            np.asarray(covariance),
            keeps.chance,
            self._kind(own, found),
            self._limit(state, points),
            keeps.what,
        )

    def _limit(self, state: StudyState, points: Array) -> float | None:
        """What no payoff is believed to pass, maximised."""
        history = self._beliefs.history(state)
        found = self._policy().predict(state.problem, history, points)
        return None if found is None else found[0].limit

    def _keeps(self, state: StudyState, found: Proposal, points: Array) -> Keeping:
        """How likely each point keeps all constraints and works."""
        problem = state.problem
        history = self._beliefs.history(state, problem.space.encode_context(found.context))
        return keeping(self._policy(), problem, history, points)

    def _kind(self, own: Mapping[str, Value], found: Proposal) -> Array:
        """The parameters in which two points differ, by their contributions; equal shares where
        the proposal has no reasons."""
        try:
            why = self._explaining.explain(dict(own), instead_of=found)
        except NothingToExplain:
            names = self._ledger.state.problem.space.names
            differs = np.array([own.get(n) != found.values.get(n) for n in names], dtype=np.float64)
            return np.asarray(differs / max(differs.sum(), 1.0))
        apart = np.abs(reasons(why))
        return np.asarray(apart / max(float(apart.sum()), 1e-300))

    # ---- the person's record -------------------------------------------------------------------

    def _record(self, state: StudyState, actor: str) -> list[Past]:
        """The person's own choices that were measured, as they looked beforehand."""
        made = []
        for decision in state.decisions.values():
            if decision.kind == "override" and decision.actor == actor:
                past = self._once(state, decision)
                if past is not None:
                    made.append(past)
        return made

    def _forecasts(self, state: StudyState, actor: str) -> tuple[int, int]:
        """How many of the person's claims about two trials are decided, and how many were right."""
        name, sign = state.problem.objective.name, state.problem.objective.sign
        decided = right = 0
        for claim in state.claims.values():
            if claim.actor != actor or None in (claim.better_proposal, claim.worse_proposal):
                continue
            better = state.answers(claim.better_proposal or "").get(name)
            worse = state.answers(claim.worse_proposal or "").get(name)
            if better is not None and worse is not None:
                decided += 1
                right += sign * better >= sign * worse
        return decided, right

    def _once(self, state: StudyState, decision: Decision) -> Past | None:
        name = state.problem.objective.name
        outcome = state.answers(decision.proposal).get(name)
        if outcome is None:
            return None
        key = self._ledger.generation, decision.id, outcome, state.amended
        if key not in self._past:
            while len(self._past) >= _KEPT:
                del self._past[next(iter(self._past))]
            y = state.problem.objective.sign * outcome
            self._past[key] = self._surprise(state, decision, y)
        return self._past[key]

    def _surprise(self, state: StudyState, decision: Decision, y: float) -> Past | None:
        """How far a choice came out from what was expected of it; None without expectations."""
        found = state.find(decision.proposal)
        before = self._ledger.state_after(found.seen)
        values = dict(decision.values or {})
        history = self._beliefs.history_of(found, before)
        known = replace(history, theta=found.theta, fresh=bool(found.theta))
        points = _points(before, found, found.values, values)
        expected = self._policy().predict(before.problem, known, points)
        if expected is None:
            return None
        ours, own = expected
        noise = self._noise(found, own.mean)
        variance = own.sd**2 + noise**2
        if not variance > 0.0:
            return None
        sides = Sides(
            np.array([ours.mean, own.mean]),
            np.diag([ours.sd**2, own.sd**2]),
            np.ones(2),
            self._kind(values, found),
        )
        weight = own.sd**2 / variance
        surprise = max(min(own.surprise(y), _STUNNED), -_STUNNED) * weight**0.5
        return Past(surprise, weight, sides.kind, y - ours.mean, sides.features)

    def _noise(self, found: Proposal, mean: float) -> float:
        """The sd of repeated trials as it was believed then; 0 where the policy does not say."""
        from counsel.models.gp import Posterior
        from counsel.policies.surrogate import noise_at

        try:
            belief = getattr(self._explaining.score_of(found), "posterior", None)
        except NothingToExplain:
            return 0.0
        if not isinstance(belief, Posterior):
            return 0.0
        return float(noise_at(belief, np.array([mean]))[0])

    # ---- the team's rule -----------------------------------------------------------------------

    def _situation(
        self,
        state: StudyState,
        found: Proposal,
        own: Mapping[str, Value],
        actor: str,
        sides: Sides | None,
        record: TrackRecord,
        past: list[Past],
    ) -> Situation:
        space = state.problem.space
        columns = numeric(space)
        suggested = [
            claim.better
            for claim in state.claims.values()
            if claim.actor == actor and claim.suggests
        ]
        suggested.append(own)
        encoded = np.stack([space.encode(each)[columns] for each in suggested])
        return Situation(
            round=found.round,
            values=np.stack([space.encode(each)[columns] for each in (found.values, own)]),
            usual=encoded,
            sides=sides,
            best=self._believed_best(state, found),
            record=record,
            past=past,
            reasons=lambda: self._reasons(found, suggested),
            fused=lambda: (
                Ruling(False) if sides is None else self._fused(state, found, own, actor, sides)
            ),
        )

    def _believed_best(self, state: StudyState, found: Proposal) -> float:
        """The most that is expected, maximised, of what was tried, in the proposal's context.

        0 while nothing is known.
        """
        space = state.problem.space
        history = self._beliefs.history(state, space.encode_context(found.context))
        if len(history.y) == 0:
            return 0.0
        context = np.tile(history.context, (len(history.x), 1))
        points = np.concatenate([history.x[:, : space.dim], context], axis=1)
        believed = self._policy().predict(state.problem, history, points)
        return float(np.max(history.y if believed is None else [each.mean for each in believed]))

    def _reasons(
        self, found: Proposal, suggested: list[Mapping[str, Value]]
    ) -> tuple[Array, Array] | None:
        """Contributions at the proposal and at the person's suggestions, as believed today."""
        try:
            ours = reasons(self._explaining.explain(found))
            theirs = [
                reasons(self._explaining.explain(dict(each), context=found.context))
                for each in suggested
            ]
        except NothingToExplain:
            return None
        return ours, np.stack(theirs)

    def _fused(
        self,
        state: StudyState,
        found: Proposal,
        own: Mapping[str, Value],
        actor: str,
        sides: Sides,
    ) -> Ruling:
        """What to try with all that the person has claimed as data: theirs or not, or a point of
        the background."""
        from counsel.teams import fused

        chosen, foretold = _said(state, own, actor)
        given = [(found.values, found.context), (own, found.context), *chosen]
        given += [side for pair in foretold for side in pair]
        points = np.stack([_point(state, *each) for each in given])
        others = _background(state, found, fused.BACKGROUND)
        named, among = len(points), others.points
        points = np.concatenate([points, among])
        settings = fused.settings_of(self._version)
        expected, believed = self._believed(points, settings.fits, sides.limit)
        may = np.zeros(len(points), dtype=bool)
        may[:2] = True, sides.keeps[1] >= _KEEPS * sides.keeps[0]
        may[named:] = self._free(state, found, among)
        may[named:] &= self._keeps(state, found, among).chance >= _KEEPS * sides.keeps[0]
        if self._version > 1:  # a third point is neither of the two, which arms have both
            may[named:] &= ~(among[:, None, :] == points[:2]).all(axis=2).any(axis=1)
        history = self._beliefs.history(state)
        unit = float(np.std(history.y)) if len(history.y) > 1 else 1.0
        start = 2 + len(chosen)
        tried = fused.decided(
            believed,
            list(range(2, start)),
            [(start + 2 * i, start + 2 * i + 1) for i in range(len(foretold))],
            len(among),
            unit=unit or 1.0,
            best=self._believed_best(state, found),
            left=AHEAD,
            expected=expected,
            may=may,
            again=any(
                claim.suggests and claim.actor == actor and claim.worse_proposal != found.id
                for claim in state.claims.values()
            ),
            limit=sides.limit,
            settings=settings,
        )
        if not may[1] and tried.at == 0:
            return Ruling(False, f"because yours is less likely to {sides.what}")
        third = None if tried.at < 2 else others.values(tried.at - named)
        return Ruling(tried.at == 1 if third is None else third, tried.because())

    def _believed(
        self, points: Array, fits: "Fits | None", limit: float | None
    ) -> tuple[Array, "Mixture"]:
        """What measurements alone expect at points, and beliefs on the scale where they are
        Gaussian: of several fits, while the best one is poor."""
        from counsel.models.mixture import Mixture

        found = None if fits is None else self._explaining.jointly_by_fit(points, fits)
        if found is None:
            believed = self._explaining.jointly(expecting=False)
            assert believed is not None
            found = Mixture.of(*(np.asarray(each) for each in believed(points)))
        each = [gaussian(*one, limit) for one in zip(*found[:2], strict=True)]
        means, covariances = (np.stack(part) for part in zip(*each, strict=True))
        return found.weights @ found.means, Mixture(means, covariances, found.logs)

    def _free(self, state: StudyState, found: Proposal, points: Array) -> Mask:
        """Which points may be tried though nobody named them."""
        from counsel.policies.random import excluded, refused_arms

        space = state.problem.space
        history = self._beliefs.history(state, space.encode_context(found.context))
        if history.held is not None or len(history.failed) or (space.finite and space.once):  # type: ignore[union-attr]
            return np.zeros(len(points), dtype=bool)
        refuse = refused_arms if space.finite else excluded
        return ~refuse(points[:, : space.dim], history)


def _said(
    state: StudyState, own: Mapping[str, Value], actor: str
) -> tuple[list[_Place], list[tuple[_Place, _Place]]]:
    """What a person would have tried before now, and pairs that they foretold, the better first.

    A choice that they made again says nothing new.
    """
    chosen: list[_Place] = []
    foretold = []
    for claim in state.claims.values():
        if claim.actor != actor:
            continue
        better = claim.better, claim.context
        if claim.suggests:
            chosen.append(better)
        else:
            foretold.append((better, (claim.worse, claim.context)))
    values = [dict(place[0]) for place in chosen] + [dict(own)]
    new = [i for i in range(len(chosen)) if values[i] != values[i + 1]]
    return [chosen[i] for i in new], foretold


class _Background(NamedTuple):
    """Points that a choice is among, and what they are called."""

    points: Array
    space: AnySpace

    def values(self, row: int) -> Mapping[str, Value]:
        point = self.points[row, : self.space.dim]
        if isinstance(self.space, Arms):
            return self.space[int(np.argmax((self.space.points == point).all(axis=1)))]
        return self.space.decode(point)


def _background(state: StudyState, found: Proposal, count: int) -> _Background:
    """Points all over the space, in the proposal's context, others for every proposal."""
    space = state.problem.space
    every = background_for(space).points
    rows = np.random.default_rng(found.round).permutation(len(every))[:count]
    context = np.tile(space.encode_context(found.context), (len(rows), 1))
    return _Background(np.concatenate([every[rows], context], axis=1), space)


def _points(state: StudyState, found: Proposal, *many: Mapping[str, Value]) -> Array:
    return np.stack([_point(state, each, found.context) for each in many])


def _point(state: StudyState, values: Mapping[str, Value], context: Mapping[str, Value]) -> Array:
    space = state.problem.space
    return np.concatenate([space.encode(values), space.encode_context(context)])
