"""Attributes a score at a point: picks the method and records which.

Coalitions are enumerated while 2^p x background points fit the budget: exact for that background.
Beyond that, they are sampled until the tolerance is met. The posterior mean of a product kernel
stays exact: it needs no coalitions.
"""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor

import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from counsel.acquisition.terms import Score
from counsel.errors import NothingToExplain
from counsel.explain import exact, sampled
from counsel.explain.attribution import Attribution
from counsel.explain.background import Background, background_for
from counsel.explain.game import Game, at_point, average
from counsel.explain.product import Values, factorises, mean_on_points
from counsel.facts.records import Direction, Value
from counsel.facts.terms import place
from counsel.models.gp import Posterior
from counsel.space import AnySpace

# Scored points: about a second's work with a hundred observations.
BUDGET = 2**19
ENUMERATED, SAMPLED, PRODUCT = "enumerated", "sampled", "product form"
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
) -> Attribution:
    """How much each parameter of a point contributes to each term of a score.

    `background` is a list of dicts of values, a `Background` of encoded points, or None for the
    whole space.
    `tolerance` is the half-width of a sampled value's 95% interval, as a share of its term's
    largest value; `budget` is how many points may be scored.
    """
    if score.whole:
        raise NothingToExplain(
            "A joint draw over the arms has no value between the arms, which an explanation would "
            "need. Use TS(exact=0): its draws are functions."
        )
    against = (
        background if isinstance(background, Background) else background_for(space, background)
    )
    around = space.encode_context(context or {})
    game = Game(
        score,
        np.concatenate([space.encode(values), around]),
        np.concatenate([against.points, np.tile(around, (len(against.points), 1))], axis=1),
        # The context is the same on both sides: whose it is makes no difference.
        space.groups[: space.dim] + (0,) * space.context_dim,
        space.dim,
    )
    count = 2**game.players * len(against.points)
    if count <= budget:
        total = {name: float(term) for name, term in at_point(game).items()}
        found = _enumerated(game, total, count)
        methods = dict.fromkeys(total, ENUMERATED)
    else:
        rng = np.random.default_rng(_STREAM)
        with ThreadPoolExecutor(1) as meanwhile:
            given = meanwhile.submit(_exact_mean, game, space).result
            found = sampled.sample(
                game, rng, tolerance=tolerance, most=budget, until=until, given=given
            )
        methods = {n: PRODUCT if n in found.known else SAMPLED for n in found.total}
    # Compiled code returns terms in alphabetical order.
    terms = tuple(sorted(found.total, key=place))
    return Attribution(
        terms=terms,
        parameters=space.names,
        values=np.stack([found.values[name] for name in terms]),
        base=np.array([found.base[name] for name in terms]),
        total=np.array([found.total[name] for name in terms]),
        error=np.stack([found.error[name] for name in terms]),
        methods=tuple(methods[name] for name in terms),
        background=against.words,
        evaluations=found.evaluations,
        point=dict(values),
        context=dict(context or {}),
        proposal=proposal,
        objective=objective,
        direction=direction,
        note="" if found.settled else "The budget was used up before the tolerance was met.",
    )


def _enumerated(game: Game, total: Mapping[str, float], count: int) -> sampled.Estimate:
    averages = average(game, exact.coalitions(game.players)[:-1])
    worth = np.stack([np.append(averages[name], total[name]) for name in total], axis=1)
    values = exact.shapley(worth)
    zero: Float[np.ndarray, " p"] = np.zeros(game.players)
    return sampled.Estimate(
        values=dict(zip(total, values, strict=True)),
        error=dict.fromkeys(total, zero),
        base=dict(zip(total, worth[0].tolist(), strict=True)),
        total=total,
        evaluations=count,
        settled=True,
    )


def _exact_mean(game: Game, space: AnySpace) -> dict[str, Values]:
    """The exploitation term without sampling, where it is a product kernel's posterior mean."""
    posterior = getattr(game.score, "posterior", None)
    if not isinstance(posterior, Posterior) or not factorises(posterior.kernel):
        return {}
    owner = space.groups[: space.dim]
    point, background = jnp.asarray(game.point), jnp.asarray(game.background)
    return {"exploitation": mean_on_points(posterior, point, background, owner=owner)}
