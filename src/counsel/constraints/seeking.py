r"""Where to look for something better that is safe, and what to ask there.

    open       not certified, no constraint known to fail, perhaps better than the certified best
    where      the open point with the largest chance that all holds x expected improvement;
               where nothing is open, the certified point that may pay most
    what       of the constraints in doubt there, the one whose answer tells most about the fate of
               the open points, per cost:

$$ v_i = \sum_{b\ \text{open}} P(b\ \text{better})
   \left( h(P_b) - \mathrm{E}_{y_i}\, h(P_b \mid y_i) \right) $$

P_b is the chance that all constraints hold at b, h the entropy of a yes or no. Searching gently,
which is the default, a question is rated by the geometric mean of v_i and the chance that
constraint i fails: one failure settles a trial, and the other questions are saved. A point that is
settled, certified or ruled out, is not tried again to learn about it; and the more trials left a
point in doubt, the sooner it is ruled out: a margin close to 0 can take any number of trials that
are as likely to be unsafe as not.

A choosy search, the default over a finite space, tries a point only if it is likely enough to pay
more, the likelier the riskier the trial is: what hardly pays more is not worth somebody's
discomfort. In exchange, a point that nobody tried is ruled out by less, since answers about others
often are wrong about it; and one that is still in doubt after several trials is given up for good.

With `hope`, a point that nobody tried is not ruled out by what is believed of it while the
improvement that it promises is at least that: a model that is wrong about a place where nobody
asked is never corrected otherwise. Under a `risk_limit` only points that hold with a chance of at
least one less the limit are tried; where none of them is open, the one whose answers tell most
about those beyond the limit: the set grows from within.

While nothing is certified, a persistent search takes any point for worth settling, whatever it
pays; where none is open, it tries the likeliest that is not close to what was asked about; and
each trial is asked about until an answer says that it fails. Nothing would ever be learned
otherwise: the likeliest point would be tried again and again.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Bool, Float, Int
from scipy.special import ndtr

from counsel.constraints.certificate import Certificate

__all__ = ["HOPE", "LESS_OPTIMISM", "OPTIMISM", "Search", "Step"]

# A point is ruled out where some constraint holds with less than this chance; searching gently,
# than this for every trial there and once more, but within `_GIVEN_UP`. It is not worth settling
# where it is better than the certified best with less than `_NOT_BETTER`, or, where there is hope
# for other points, `_HARDLY_BETTER`. All of it was chosen on instances that no table reports.
_RULED_OUT = 0.1
_GIVEN_UP = 0.2, 0.5
_NOT_BETTER, _HARDLY_BETTER = 0.02, 0.05
# A choosy search tries a point that is better with at least this chance times that of being
# unsafe. It rules one out where some constraint holds with less than these, by the trials made
# there.
_BETTER = 0.35
_CHANCES = np.array([0.05, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9])
# Where all is ruled out, a point is tried at least this far, of the farthest, from what was asked.
_FAR = 0.5
# What a question must at least tell, in nats.
_NOTHING = 1e-4
# The improvement, in standard units and times the chance that all holds, for which new studies try
# what nobody tried although some constraint probably fails there; chosen likewise.
HOPE = 0.03
# An expansion must promise to explain this share of some open margin's variance.
_EXPANDS = 0.05
_NODES, _SHARES = np.polynomial.hermite_e.hermegauss(7)
_SHARES = _SHARES / _SHARES.sum()
# Which quantile of the objective is what a point may pay: of new studies over finite spaces, and of
# all others. With the former, certified points that pay nearly the same are told apart, since one
# unlucky measurement does not end the trials of a point. Chosen likewise.
OPTIMISM, LESS_OPTIMISM = 0.995, 0.9


@dataclass(frozen=True, slots=True)
class Step:
    """The point to try. `worth` is what it was the largest of, in the objective's units."""

    point: int
    exploring: bool
    worth: float
    expanding: bool = False


@dataclass(frozen=True, eq=False)
class Search:
    """A round's view of M points, of which some are `allowed`.

    `watch` asks about certified points too, one question a trial: preferences may drift.
    `least` is the expected improvement, in standard units, below which a point is not worth
    settling: in a box there is always a neighbour that pays a little more.
    `tried` is in how many trials each point was asked about; it makes the search gentle. `hope`
    is the improvement for which a point that nobody tried is tried although some constraint
    probably fails there. `apart` is how far each point is from all that was asked about; it makes
    the search persistent. `choosy` weighs the chance of being better against that of being unsafe.
    `optimism` is the quantile of the objective that certified points are compared by.
    Studies from before there was one of these go on without.
    """

    certificate: Certificate
    allowed: Bool[np.ndarray, " M"]
    risk_limit: float | None = None
    watch: bool = False
    least: float = 0.0
    tried: Int[np.ndarray, " M"] | None = None
    hope: float | None = None
    apart: Float[np.ndarray, " M"] | None = None
    choosy: bool = False
    optimism: float = LESS_OPTIMISM

    @property
    def gentle(self) -> bool:
        return self.tried is not None

    @cached_property
    def incumbent(self) -> int | None:
        """The certified best: the largest lower bound of the objective."""
        known = self.certificate.certified & self.allowed
        if not known.any():
            return None
        return int(np.argmax(np.where(known, self.certificate.surely, -np.inf)))

    @property
    def lost(self) -> bool:
        """Whether nothing is certified and the search goes on asking until something is."""
        return self.apart is not None and self.incumbent is None

    @cached_property
    def better(self) -> Float[np.ndarray, " M"]:
        """How likely each point pays more than the incumbent."""
        if self.incumbent is None:
            return np.ones(len(self.allowed))
        found = self.certificate.at[0].chance_above(self.incumbent)
        found[self.incumbent] = 0.0
        return found

    @cached_property
    def open(self) -> Bool[np.ndarray, " M"]:
        """Worth settling."""
        possible = self.certificate.chances.min(axis=0, initial=1.0) >= self._ruled_out
        worth = self.better >= self._likely
        if self.choosy:
            worth &= self.better >= _BETTER * (1.0 - self.certificate.chance)
        if not self.lost:
            worth &= self.improvement >= self.least
        return possible & ~self.certificate.certified & worth & self.allowed

    @cached_property
    def _ruled_out(self) -> Float[np.ndarray, " M"]:
        """The chance of some constraint below which each point is ruled out."""
        if self.tried is None:
            return np.full(len(self.allowed), _RULED_OUT)
        found: np.ndarray = np.clip(_RULED_OUT * (1.0 + self.tried), *_GIVEN_UP)
        if self.choosy:
            found = _CHANCES[np.minimum(self.tried, len(_CHANCES) - 1)]
        if self.hope is not None:
            hopeful = (self.tried == 0) & (self.improvement >= self.hope)
            found = np.where(hopeful, 0.0, found)
        return found

    @property
    def _likely(self) -> float:
        return _HARDLY_BETTER if self.choosy or self.hope is not None else _NOT_BETTER

    @cached_property
    def within(self) -> Bool[np.ndarray, " M"]:
        """Points that the risk limit allows to try."""
        if self.risk_limit is None:
            return np.ones(len(self.allowed), dtype=bool)
        return self.certificate.certified | (self.certificate.chance >= 1.0 - self.risk_limit)

    @cached_property
    def improvement(self) -> Float[np.ndarray, " M"]:
        """Chance that all holds x expected improvement on the incumbent, in standard units."""
        objective = self.certificate.at[0]
        mean, sd = objective.mean, objective.sd
        least = mean.min() if self.incumbent is None else mean[self.incumbent]
        z = (mean - least) / sd
        expected = sd * (z * ndtr(z) + np.exp(-0.5 * z**2) / np.sqrt(2.0 * np.pi))
        found: np.ndarray = self.certificate.chance * np.maximum(expected, 0.0)
        return found

    def explore(self, free: Bool[np.ndarray, " M"]) -> Step | None:
        """The point that is most worth settling; None where nothing is open or allowed."""
        candidates = self.open & self.within & free
        if candidates.any():
            worth = np.where(candidates, self.improvement, -np.inf)
            point = int(np.argmax(worth))
            return Step(point, True, float(worth[point]) * self._scale)
        if self.risk_limit is None or not self.open.any():
            return None
        return self._expand(free)

    def _expand(self, free: Bool[np.ndarray, " M"]) -> Step | None:
        """The point within the limit whose answers explain most of an open margin."""
        most = np.zeros(len(self.allowed))
        for point in np.flatnonzero(self.within & self.allowed & free):
            most[point] = self._explained(int(point)).max(initial=0.0)
        best = int(np.argmax(most))
        if most[best] < _EXPANDS:
            return None
        return Step(best, True, float(self.improvement[best]) * self._scale, expanding=True)

    def _explained(self, point: int) -> Float[np.ndarray, " k"]:
        """The largest share of an open margin's variance that each answer at `point` explains."""
        found = np.zeros(len(self.certificate.chances))
        for i, at in enumerate(self.certificate.at[1:]):
            h = int(np.argmax(at.belief.weight))
            row = at.covariance(point)[h]
            spread = at.sds[h, point] ** 2 + at.belief.noise[h]
            share = np.where(self.open, row**2 / (spread * at.sds[h] ** 2), 0.0)
            found[i] = share.max(initial=0.0)
        return found

    def exploit(self, free: Bool[np.ndarray, " M"]) -> Step:
        """The certified point that may pay most; where there is none, the likeliest to hold.

        Better a certified point that is under way already than one that nobody vouches for.
        """
        certified = self.certificate.certified
        for known in (certified & self.allowed & free, certified & self.allowed):
            if known.any():
                upper = self.certificate.at[0].quantile(self.optimism)
                point = int(np.argmax(np.where(known, upper, -np.inf)))
                offset = float(self.certificate.evidence.offset[0])
                return Step(point, False, offset + self._scale * float(upper[point]))
        left = self.allowed & free
        if self.apart is not None and self.lost:
            left &= self.apart >= _FAR * np.max(self.apart, where=left, initial=0.0)
        hopeful = np.where(left, self.certificate.chance, -1.0)
        point = int(np.argmax(hopeful))
        return Step(point, False, float(hopeful[point]))

    @property
    def _scale(self) -> float:
        return float(self.certificate.evidence.scale[0])

    # ---- what to ask ---------------------------------------------------------------------------

    def doubtful(self, point: int) -> Bool[np.ndarray, " k"]:
        """The constraints that are not known well enough for `point` to be certified."""
        chances = self.certificate.counted[:, point]
        known = 1.0 - (1.0 - self.certificate.certainty) / (2.0 * max(len(chances), 1))
        found: np.ndarray = chances < known
        return found

    def asks_at(
        self,
        point: int,
        *,
        expanding: bool = False,
        asked: Bool[np.ndarray, " k"] | None = None,
    ) -> bool:
        """Whether an answer about `point` can matter; `asked` was answered in its trial."""
        certificate = self.certificate
        declared = bool(certificate.vouched[point]) and not certificate.suffices[point]
        hoped = self._hoped(point, asked) or self._unsettled(point, asked)
        worth = self.open[point] if asked is None or not self.choosy else self._begun(point, asked)
        return bool(worth or declared or expanding or hoped)

    def _begun(self, point: int, asked: Bool[np.ndarray, " k"]) -> bool:
        """Whether a trial that was worth making is to be asked about (further).

        The bar for making it was higher, but it is made: what it takes now are questions only.
        """
        chances, ruled_out = self.certificate.chances[:, point], self._ruled_out[point]
        failed = chances[asked].min(initial=1.0) < max(_GIVEN_UP[0], ruled_out)
        worth = self.better[point] >= self._likely and not self.certificate.certified[point]
        return bool(worth and not failed and chances.min(initial=1.0) >= ruled_out)

    def _hoped(self, point: int, asked: Bool[np.ndarray, " k"] | None) -> bool:
        """Whether a first trial at `point`, made in hope, is still to be asked about.

        Its payoff may have made it a little less worthwhile; but the trial is made, and what is
        believed of it is what nobody's answers have corrected. Only an answer ends the questions.
        """
        if self.hope is None or asked is None or self.tried is None or self.tried[point]:
            return False
        answered = self.certificate.chances[asked, point].min(initial=1.0)
        better = self.better[point] >= self._likely
        return bool(better and answered >= _GIVEN_UP[0] and not self.certificate.certified[point])

    def _unsettled(self, point: int, asked: Bool[np.ndarray, " k"] | None) -> bool:
        """Whether nothing is certified, and no answer says yet that `point` fails."""
        if not self.lost or asked is None:
            return self.lost
        return bool(self.certificate.chances[asked, point].min(initial=1.0) >= _GIVEN_UP[0])

    def together(self, point: int, ask_threshold: float) -> list[int]:
        """The questions to ask at once, likeliest to fail first.

        A question is left out where the ones before it settle the point's fate with a probability
        of more than one less `ask_threshold`.
        """
        chances = self.certificate.chances[:, point]
        order = [int(i) for i in np.argsort(chances, kind="stable") if self.doubtful(point)[i]]
        needed = np.cumprod([1.0, *chances[order]])[: len(order)]
        return [i for i, need in zip(order, needed, strict=True) if need >= ask_threshold]

    def tells(self, point: int, costs: Float[np.ndarray, " k"] | None = None) -> list[int]:
        """The questions at `point` whose answers tell of open points, the most per cost first."""
        explained = self._explained(point)
        rated = explained if costs is None else explained / costs
        order = np.argsort(-rated, kind="stable")
        return [int(i) for i in order if explained[i] >= _EXPANDS]

    def values(self, point: int) -> Float[np.ndarray, " k"]:
        """What the answer about each constraint at `point` tells of the fate of all open points."""
        certificate = self.certificate
        weight = np.where(self.open, self.better, 0.0)
        weight[point] = max(weight[point], _NOT_BETTER)
        before = _entropy(certificate.chance)
        found = np.zeros(len(certificate.chances))
        for i, at in enumerate(certificate.at[1:]):
            spread = at.sds[:, point] ** 2 + at.belief.noise
            shift = at.covariance(point) / np.sqrt(spread)[:, None]
            sd = np.sqrt(np.maximum(at.sds**2 - shift**2, 1e-12))
            mean = at.means[None] + _NODES[:, None, None] * shift[None]
            after = np.einsum("h,zhm->zm", at.belief.weight, ndtr(mean / sd[None]))
            others = certificate.chance / np.maximum(certificate.chances[i], 1e-300)
            told = before - _SHARES @ _entropy(np.clip(others[None] * after, 0.0, 1.0))
            found[i] = float(weight @ told)
        return found

    def question(
        self, point: int, asked: Bool[np.ndarray, " k"], costs: Float[np.ndarray, " k"]
    ) -> int | None:
        """The next question at `point`; None where nothing in doubt is worth asking."""
        left = self.doubtful(point) & ~asked
        if not left.any():
            return None
        values = self.values(point)
        rated = values
        if self.gentle:
            # Rounded, a chance may be a little more than 1.
            failing = np.maximum(1.0 - self.certificate.chances[:, point], 0.0)
            rated = np.sqrt(np.maximum(values, 0.0) * failing)
        best = int(np.argmax(np.where(left, rated / costs, -np.inf)))
        most = float(values[left].max()) if self.gentle else float(values[best])
        sure = self.choosy or (self.lost and not asked.any())
        return best if sure or most > _NOTHING else None


def _entropy(p: Float[np.ndarray, "..."]) -> Float[np.ndarray, "..."]:
    inside = np.clip(p, 1e-12, 1.0 - 1e-12)
    found: np.ndarray = -(inside * np.log(inside) + (1.0 - inside) * np.log1p(-inside))
    return found
