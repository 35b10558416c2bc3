"""Attributes a score at a point: picks the method and records which.

Against a whole box, the posterior mean of a product kernel has a closed form: no sample stands for
the box, and there is no error. So has the variance, by which the sd's values become several times
as accurate as the points alone would make them (`control`). Coalitions of the other terms are
enumerated while 2^p x background points fit the budget; beyond that, they are sampled until the
tolerance is met. Where
the background's points stand for more than themselves, the stated error includes theirs. It is
estimated from batches of the points; points spread evenly err less than their batches suggest.
"""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import ClassVar

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float
from numpy.typing import NDArray

from counsel.acquisition.terms import Score
from counsel.errors import NothingToExplain
from counsel.explain import exact, sampled
from counsel.explain.attribution import Attribution, Expected
from counsel.explain.background import (
    BOX_POINTS,
    FEWER_POINTS,
    MANY_ROWS,
    Background,
    background_for,
)
from counsel.explain.closed import has_closed_form, mean_pairs, mean_uniform
from counsel.explain.contrast import THE_PROPOSAL
from counsel.explain.control import SD, sharpened
from counsel.explain.existing import conditions_of
from counsel.explain.game import Game, at_point, average, each, weights_between
from counsel.explain.product import Values, factorises, mean_on_points
from counsel.facts.kept import Kept
from counsel.facts.problem import Direction
from counsel.facts.records import Value
from counsel.facts.terms import named, place, term
from counsel.models.gp import Posterior
from counsel.space import AnySpace

# Scored points: about a second's work with a hundred observations.
BUDGET = 2**19
ENUMERATED, SAMPLED, PRODUCT, CLOSED = "enumerated", "sampled", "product form", "closed form"
SHARPENED = "enumerated beside the closed form of the variance"
MEAN = "exploitation"
_STREAM = 20_240_308


def attribute(
    score: Score,
    space: AnySpace,
    values: Mapping[str, Value],
    *,
    context: Mapping[str, Value] | None = None,
    background: object = None,
    tolerance: float = 0.01,
    budget: int = BUDGET,
    until: sampled.Until = "tolerance",
    proposal: str | None = None,
    objective: str = "objective",
    direction: Direction = "maximize",
    constraints: Sequence[str] = (),
    recorded: Mapping[str, float] | None = None,
    instead_of: Mapping[str, Value] | None = None,
    instead_of_proposal: bool = False,
    objectives: Sequence[tuple[str, float, Posterior]] = (),
    kept: Kept | None = None,
) -> Attribution:
    """How much each parameter of a point contributes to each term of a score.

    `background` is a list of dicts of values, a `Background` of encoded points, or None for the
    whole space.
    `tolerance` is the half-width of a sampled value's 95% interval, as a share of its term's
    largest value; `budget` is how many points may be scored. `constraints` are their names.
    `recorded` are the terms that a proposal was made for: others are refused. `instead_of` a point,
    contributions are to the difference from it; `instead_of_proposal` says that it was proposed.
    `objectives` are the beliefs about several that are weighed: name, weight, posterior.
    `kept` is for this score alone: what no point changes is computed once.
    """
    if instead_of is not None:
        mine = instead_of_proposal and proposal is None
        words = THE_PROPOSAL if mine else "the alternative"
        against = Background(space.encode(instead_of)[None, :], words)
    elif isinstance(background, Background):
        against = background
    else:
        against = background_for(space, background, _points(score))
    game = game_of(score, space, values, context, against)
    count = 2**game.players * len(against.points)
    here = at_point(game)
    if recorded is not None:
        _check_same(recorded, {named(t, constraints): float(v) for t, v in here.terms.items()})
    if count <= budget:
        total = {name: float(part) for name, part in here.parts.items()}
        worth = each(game, exact.coalitions(game.players)[:-1])
        found = _enumerated(game, worth, total, count)
        methods = dict.fromkeys(found.total, ENUMERATED)
        if against.whole and SD in total:
            better = sharpened(game, space, worth[SD], total[SD], Kept() if kept is None else kept)
            if better is not None:
                found = found._replace(
                    values={**found.values, SD: better.values},
                    base={**found.base, SD: better.base},
                    error={**found.error, SD: better.error},
                )
                methods[SD] = SHARPENED
        if not against.sample:
            found = found._replace(error=dict.fromkeys(found.total, np.zeros(game.players)))
    else:
        rng = np.random.default_rng(_STREAM)
        with ThreadPoolExecutor(1) as meanwhile:
            given = meanwhile.submit(_exact_mean, game, space).result
            found = sampled.sample(
                game, rng, tolerance=tolerance, most=budget, until=until, given=given
            )
        methods = {n: PRODUCT if n in found.known else SAMPLED for n in found.total}
        if against.sample:
            found = found._replace(
                error={n: np.hypot(found.error[n], found.background[n]) for n in found.total}
            )
    closed = _closed_mean(game, space, found) if against.whole else None
    if closed is not None:
        found, methods = closed, {**methods, MEAN: CLOSED}
    # Compiled code returns terms in alphabetical order.
    terms = tuple(sorted(found.total, key=place))
    weights = weights_between(score, here, found.base, found.total)
    turned = direction == "minimize"
    sign = np.array([-1.0 if turned and term(t).scale == "objective" else 1.0 for t in terms])
    return Attribution(
        terms=tuple(named(name, constraints) for name in terms),
        parameters=space.names,
        values=sign[:, None] * np.stack([found.values[name] for name in terms]) + 0.0,  # not -0
        base=sign * np.array([found.base[name] for name in terms]) + 0.0,
        total=sign * np.array([found.total[name] for name in terms]) + 0.0,
        error=np.stack([found.error[name] for name in terms]),
        interactions=None
        if found.pairs is None
        else np.stack([s * _matrix(found, name) for s, name in zip(sign, terms, strict=True)]),
        log_weights=np.array([weights[name] for name in terms]),
        methods=tuple(methods[name] for name in terms),
        background=against.words,
        evaluations=found.evaluations,
        point=dict(values),
        context=dict(context or {}),
        proposal=proposal,
        objective=objective,
        direction=direction,
        instead_of=None if instead_of is None else dict(instead_of),
        gaps=getattr(getattr(score, "posterior", None), "warp", None) is not None,
        note="" if found.settled else "The budget was used up before the tolerance was met.",
        objectives=tuple(
            _expected(name, weight, belief, game, space, against)
            for name, weight, belief in objectives
            if factorises(belief.kernel) and (count <= budget or not game.conditions)
        ),
        units=space.units,
    )


def _expected(
    name: str, weight: float, belief: Posterior, game: Game, space: AnySpace, against: Background
) -> Expected:
    """What one objective is expected to be, against the same background as the other terms."""
    if game.conditions:
        alone = eqx.tree_at(lambda g: g.score, game, _Mean(belief))
        worth = average(alone, exact.coalitions(game.players))[MEAN]
        values = exact.shapley(worth[:, None])[0]
        return Expected(name, weight, values, float(worth[0]), float(worth[-1]))
    if against.whole and has_closed_form(belief.kernel, space):
        mean = mean_uniform(belief, space, np.asarray(game.point))
    else:
        point, background = jnp.asarray(game.point), jnp.asarray(game.background)
        owner = space.groups[: space.dim]
        mean = mean_on_points(belief, point, background, owner=owner)
    return Expected(name, weight, np.asarray(mean.values), float(mean.base), float(mean.total))


class _Mean(eqx.Module):
    """A posterior mean as a score of its own."""

    posterior: Posterior
    whole: ClassVar[bool] = False

    def terms(self, x: Float[Array, "n d"]) -> dict[str, Float[Array, " n"]]:
        return {MEAN: self.posterior.mean(x)}


def _points(score: Score) -> int:
    """How many points stand for a box: a what-if after a thousand trials stays fast."""
    posterior = getattr(score, "posterior", None)
    many = isinstance(posterior, Posterior) and len(posterior.data.y) >= MANY_ROWS
    return FEWER_POINTS if many else BOX_POINTS


def game_of(
    score: Score,
    space: AnySpace,
    values: Mapping[str, Value],
    context: Mapping[str, Value] | None,
    against: Background,
) -> Game:
    """The game of a score at a point, in a context, against a background."""
    around = space.encode_context(context or {})
    return Game(
        score,
        np.concatenate([space.encode(values), around]),
        np.concatenate([against.points, np.tile(around, (len(against.points), 1))], axis=1),
        # The context is the same on both sides: whose it is makes no difference.
        space.groups[: space.dim] + (0,) * space.context_dim,
        space.dim,
        conditions_of(space),
    )


def _check_same(recorded: Mapping[str, float], now: Mapping[str, float]) -> None:
    """Refuse to explain what the facts do not lead to (another policy, another version)."""
    unit = max(1e-300, *(abs(value) for value in now.values()))
    if set(recorded) != set(now) or not all(
        abs(recorded[tag] - now[tag]) <= 1e-6 * unit for tag in now
    ):
        raise NothingToExplain(
            f"The proposal cannot be rebuilt: it recorded {dict(recorded)}, and the facts lead to "
            f"{dict(now)} now. It was made by another policy or version."
        )


def _enumerated(
    game: Game,
    worth: Mapping[str, NDArray[np.float64]],
    total: Mapping[str, float],
    count: int,
) -> sampled.Estimate:
    """All coalitions on all points; `error` is that of the points standing for more."""
    weights = exact.weights(game.players)
    rows = {n: (weights[:, :-1] @ worth[n] + weights[:, -1:] * total[n]).T for n in total}
    averages = {name: np.append(worth[name].mean(axis=1), total[name]) for name in total}
    pairs = exact.interactions(np.stack(list(averages.values()), axis=1))
    return sampled.Estimate(
        pairs=dict(zip(averages, pairs, strict=True)),
        values={name: row.mean(axis=0) for name, row in rows.items()},
        error={name: sampled.background_error(row) for name, row in rows.items()},
        base={name: float(worth[name][0].mean()) for name in total},
        total=total,
        evaluations=count,
        settled=True,
    )


def _matrix(found: sampled.Estimate, name: str) -> NDArray[np.float64]:
    """The interactions of a term, and on the diagonal what each parameter does by itself."""
    assert found.pairs is not None
    pairs = np.asarray(found.pairs[name])
    return pairs + np.diag(found.values[name] - pairs.sum(axis=1))


def _closed_mean(game: Game, space: AnySpace, found: sampled.Estimate) -> sampled.Estimate | None:
    """The estimate with the posterior mean's closed form, where that is what a term is."""
    posterior = getattr(game.score, "posterior", None)
    if not isinstance(posterior, Posterior) or posterior.warp is not None:
        return None
    if MEAN not in found.total or not has_closed_form(posterior.kernel, space):
        return None
    closed = mean_uniform(posterior, space, np.asarray(game.point))
    values, base = np.asarray(closed.values), float(closed.base)
    # Is this the term of that name? It has to agree at the point and, but for the background's
    # error, on average.
    unit = abs(found.total[MEAN]) + abs(base) + float(np.abs(values).max())
    apart = float(np.abs(values - found.values[MEAN]).max())
    if abs(float(closed.total) - found.total[MEAN]) > 1e-8 * unit or apart > 0.2 * unit:
        return None
    return found._replace(
        values={**found.values, MEAN: values},
        base={**found.base, MEAN: base},
        error={**found.error, MEAN: np.zeros(game.players)},
        pairs=None
        if found.pairs is None
        else {**found.pairs, MEAN: mean_pairs(posterior, space, np.asarray(game.point))},
    )


def _exact_mean(game: Game, space: AnySpace) -> dict[str, Values]:
    """The exploitation term without sampling, where it is a product kernel's posterior mean."""
    posterior = getattr(game.score, "posterior", None)
    if not isinstance(posterior, Posterior) or not factorises(posterior.kernel):
        return {}
    if game.conditions:
        return {}
    owner = space.groups[: space.dim]
    point, background = jnp.asarray(game.point), jnp.asarray(game.background)
    return {MEAN: mean_on_points(posterior, point, background, owner=owner)}
