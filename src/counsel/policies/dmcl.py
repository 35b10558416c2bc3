"""DMCL: learn constraints by asking people only what decides something.

By default (`certificate="posterior"`) points are certified by their chance that everything holds,
given all answers (`constraints.certificate`), and a round is that of `constraints.seeking`:

    certified = {all constraints hold with a chance of at least `certainty`} + a point vouched for
    x = of what is open, the largest chance that all holds x expected improvement; if nothing is
        open, the certified point that may pay most
    measure the objective at x; ask what tells most about the fate of open points, one question
    after the other, until x is settled

`certificate="union"` certifies by bounds that hold for all pairs of points and outcomes in all
rounds, and is what studies from before there was a choice go on with:

    posterior; l = max(l, mean - beta sd), u = min(u, mean + beta sd)
    S = {all l_i >= 0} + given,  U = {all u_i >= 0, not in S, u_0 >= max_S l_0}
    x = the widest ambiguous bound of U while one is wider than `tolerance`; else argmax_S u_0
    measure the objective at x; ask the constraint that tells most about what is ambiguous;
    go on while another tells `ask_threshold` times as much as the first did

The paper's Algorithm 1 as printed finds the best arm in less than half of the instances where
asking everything finds it nearly always. This is the repaired one; where it departs and why:

* S is what the bounds say plus a given arm, not a union that starts empty (10).
* beta is Bayesian, not (15), which is about 1e7 and certifies nothing.
* What was not asked is left out. The paper fills it in with the model's own mean, which leaves the
  mean and shrinks the sd: false confidence.
* Questions are chosen by expected information, not by (8), which is 0 for what was never asked.
* Exploration ends when nothing relevant is ambiguous, not after as many rounds as there are arms.

`paper=True` is Algorithm 1 with the least repair that lets it run. It imputes, explores for at most
as many rounds as there are arms, and while a bound in U is wider than `tolerance` (the paper's
epsilon); B is learned; it asks about the constraints whose weight, (8) made relative by (9), is at
least `ask_threshold` (14), all at once or one after the other. With `drifting` the kernel is (6),
ICM-CI. The repairs that are left, and where they are made:

* S is what the bounds say plus a given arm (`constraints.sets`), and not (10).
* beta is a constant, or Bayesian (`constraints.learned.Confidence`), and not (15).
* epsilon is the widest bound of U, where the printed one needs the truth (`choose`).
* max(1, .) below and |correlation| in (8), equal weights where all are 0 in (9)
  (`constraints.selection`).
* The shares z of (6) count answers that held, and bounds are not intersected when they are in use
  (`policies.candidates`, `policies.union`).
* What is advised is the largest lower bound in S, not the largest payoff seen.

(9) is taken as "relative to the largest": on driving it has the effect that is known of (9), which
other readings do not have. `normalised=False` leaves it and epsilon out, as studies from before do.
"""

from typing import Any

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int

from counsel.constraints.certificate import CERTAINTY, UNASKED
from counsel.constraints.exploring import Move, choose, explore_or_exploit
from counsel.constraints.learned import Confidence, Learned
from counsel.constraints.seeking import HOPE, OPTIMISM
from counsel.constraints.selection import batch, normalised, paper_weights
from counsel.errors import InvalidInput
from counsel.policies import constraint_learner, learner_settings
from counsel.policies.constraint_learner import ConstraintLearner
from counsel.policies.registry import policies

# What is asked -> the name of the policy.
_NAMES = {"worth": "dmcl", "everything": "mcl", "overall": "acl"}


@policies.register(
    "dmcl",
    title="DMCL",
    sentence="Constraints learned by asking only what is worth asking.",
    learns_constraints=True,
    certifies=True,
)
class DMCL(ConstraintLearner):
    """Dynamic multi-constraint learning.

    `certainty` is how likely all constraints must hold where a point is certified; `risk_limit`, if
    given, caps the chance of a violation in a single trial; `safe` is a point that a person vouches
    for, tried first. `budget` is how many trials may be at points that are not certified (None:
    three per arm, at most 60). `ask_threshold` is 0 (ask everything) to 1 (one question a trial):
    of questions asked at once, one is left out where those before it settle the trial's fate with a
    probability of more than one less `ask_threshold`. `tolerance` is, in standard units, the
    expected improvement below which a box is not explored. `drifting` is for preferences that
    change: newer answers count more, and certified points are asked about too. `gentle` gives up
    sooner what trials leave in doubt, and asks first what is likely to fail; studies from before
    there was a choice go on without. With `hope`, a point that nobody tried and where some
    constraint probably fails is tried, too, if the improvement that it promises, in standard units
    and times the chance that all holds, is at least that (not over a box): fewer best points are
    missed, at the price of a few more trials that are unsafe. None, which is what studies from
    before go on with, gives such a point up. `persistent`, where nobody
    named a `safe` point and nothing is certified, asks about every trial, whatever it pays, and
    goes away from what failed; studies from before there was a choice go on without. `choosy` (not
    over a box) makes a risky trial only where it likely pays more, and rules out by less what
    nobody tried; studies from before there was a choice go on without. `unasked` is how often the
    chance that a constraint fails counts for a certificate where nobody asked about it (1: as
    anywhere, which is what studies from before go on with). `optimism` is the quantile of the
    objective by which certified points are compared when it is optimised (over a box at most 0.9,
    which is what studies from before go on with): the larger, the longer points that pay nearly the
    same are all tried. `attentive` asks, in a trial that is there to learn about points beyond the
    `risk_limit`, what tells about them, and takes a vouched point for contradicted where what was
    answered about it is too much taken together; studies from before there was a choice go on
    without. `centred` averages over hyper-parameters around those that explain the answers best;
    studies from before there was a choice average over what a sample of the prior comes to, which
    misses them where noise is large beside the margins.

    `asking` is what a trial is asked about: what is worth asking; everything (`policies.mcl`); or
    everything, learned as one overall answer that must reach `overall` (`policies.acl`).

    With `certificate="union"`, `confidence` sets the bounds, `rank` is that of the correlations
    between outcomes (0 for none), `tolerance` is how wide a bound may stay, and `drifting` is
    ICM-CI. `imputing` fills in what was not asked, as the paper does, and `paper` is its algorithm:
    for comparisons only, and always with the union bound. `normalised` is (9), for `paper` alone.
    """

    ask_threshold: float | Float[Array, ""] = 0.5
    tolerance: float | Float[Array, ""] = 0.1
    confidence: Confidence = eqx.field(default_factory=Confidence)
    expansion_share: float | Float[Array, ""] = 0.5
    budget: int | None = eqx.field(static=True, default=None)
    rank: int = eqx.field(static=True, default=2)
    standardise: bool = eqx.field(static=True, default=True)
    drifting: bool = eqx.field(static=True, default=False)
    paper: bool = eqx.field(static=True, default=False)
    imputing: bool = eqx.field(static=True, default=False)
    safe: tuple[tuple[str, Any], ...] | None = eqx.field(
        static=True, default=None, converter=learner_settings.hashable
    )
    asking: str = eqx.field(static=True, default="worth")
    overall: float | Float[Array, ""] = 0.0
    certificate: str = eqx.field(static=True, default="posterior")
    certainty: float = eqx.field(static=True, default=CERTAINTY)
    risk_limit: float | None = eqx.field(static=True, default=None)
    normalised: bool = eqx.field(static=True, default=True)
    gentle: bool = eqx.field(static=True, default=True)
    hope: float | None = eqx.field(static=True, default=HOPE)
    persistent: bool = eqx.field(static=True, default=True)
    choosy: bool = eqx.field(static=True, default=True)
    unasked: float = eqx.field(static=True, default=UNASKED)
    optimism: float = eqx.field(static=True, default=OPTIMISM)
    attentive: bool = eqx.field(static=True, default=True)
    centred: bool = eqx.field(static=True, default=True)

    def __check_init__(self) -> None:
        learner_settings.check(self)
        learner_settings.check_share("ask_threshold", self.ask_threshold)
        learner_settings.check_share("expansion_share", self.expansion_share)
        if self.asking not in _NAMES:
            raise InvalidInput("asking", self.asking, f"Use one of {', '.join(_NAMES)}.")

    @property
    def name(self) -> str:
        return _NAMES[self.asking]

    @property
    def gathers(self) -> bool:
        return self.asking == "overall"

    @property
    def impute(self) -> bool:
        return self.paper or self.imputing

    @property
    def in_advance(self) -> bool:
        return self.paper and self.normalised

    @property
    def ask_share(self) -> float | Float[Array, ""]:
        return self.ask_threshold if self.asking == "worth" else 0.0

    def choose(
        self, learned: Learned, allowed: Bool[Array, " M"], budget: int | Int[Array, ""]
    ) -> Move:
        if not self.paper:
            return explore_or_exploit(learned, allowed, self.tolerance, budget)
        exploring = learned.t <= allowed.shape[0]
        uncertain = learned.sets.uncertain & allowed
        width = jnp.max(learned.bounds.width[1:], axis=0, initial=0.0)
        widest = jnp.where(uncertain, width, -1.0)
        exploring = exploring & jnp.any(uncertain)
        if self.normalised:
            exploring = exploring & (jnp.max(widest) > self.tolerance)
        return choose(learned, allowed, exploring, widest)

    def asks(
        self, learned: Learned, move: Move, between_outputs: Float[Array, "m m"]
    ) -> Bool[Array, " k"]:
        if self.asking != "worth":
            return jnp.ones(between_outputs.shape[0] - 1, dtype=bool)
        if self.paper:
            weights = paper_weights(
                between_outputs, learned.before, learned.sizes, self.expansion_share
            )
            if self.normalised:
                weights = normalised(weights)
            return weights >= self.ask_threshold
        wide = learned.sets.ambiguous & (learned.bounds.width[1:] > self.tolerance)
        asked = batch(learned.belief, move.arm, wide, self.ask_threshold)
        return asked & (move.exploring | (jnp.asarray(self.ask_threshold) <= 0.0))

    def gathered(self, outcomes: Any, measured: Any) -> tuple[Any, Any]:
        if self.asking != "overall":
            return outcomes, measured
        return constraint_learner.overall(outcomes, measured, self.overall)
