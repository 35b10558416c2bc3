"""Advice as data: the fused belief against another way of sampling, and that bad advice mutes
itself."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.special import expit

from counsel.errors import CounselError
from counsel.models.mixture import Mixture
from counsel.models.said import KINDS, Listening, Said
from counsel.teams.advice import gaussian
from counsel.teams.fused import (
    SPREADS,
    Decided,
    Fused,
    Settings,
    choose,
    decided,
    fuse,
    settings_of,
)

RNG = np.random.default_rng(0)
MANY = 9  # machine's, person's, two earlier choices, and five of a background
MEAN = np.array([0.2, 0.0, 0.1, -0.1, 0.3, 0.0, -0.2, 0.1, 0.0])
ROOT = 0.4 * RNG.normal(size=(MANY, MANY))
COVARIANCE = ROOT @ ROOT.T + 0.05 * np.eye(MANY)
BEHIND = np.arange(4, MANY)
ONE = np.asarray(1.0)
SLIPS = 0.05


def said(chosen: list[int], foretold: list[tuple[int, int]], room: int = 2) -> Said:
    first, pairs = np.zeros(room, dtype=int), np.zeros((2, room), dtype=int)
    first[: len(chosen)] = chosen
    pairs[:, : len(foretold)] = np.array(foretold, dtype=int).reshape(-1, 2).T
    masks = [(np.arange(room) < len(each)).astype(float) for each in (chosen, foretold)]
    return Said(first, masks[0], pairs[0], pairs[1], masks[1], BEHIND)


def found(given: Said, settings: Settings | None = None, **more: np.ndarray) -> Fused:
    return mixed(Mixture.of(MEAN, COVARIANCE), given, settings, **more)


def mixed(
    believed: Mixture, given: Said, settings: Settings | None = None, **more: np.ndarray
) -> Fused:
    numbers = (ONE, np.asarray(0.5), np.asarray(10.0), settings or Settings())
    return fuse(believed, given, *numbers, **more)


def test_the_fused_belief_is_that_of_weighted_samples() -> None:
    """Kind, spread and payoffs drawn from their priors, and weighted by what was said."""
    # The law is of the draws, whatever the numbers of the rule: slips and looking ahead are given.
    heard = Listening(spreads=np.array(SPREADS), lapse=np.asarray(SLIPS))
    settings = Settings(heard, lookahead=np.asarray(0.3))
    ours = found(said([2], [(4, 5)]), settings)
    many = 200_000
    f = RNG.multivariate_normal(MEAN, COVARIANCE, many)
    kind = RNG.choice(4, many, p=np.asarray(heard.prior))
    spread = np.asarray(SPREADS)[RNG.integers(len(SPREADS), size=many)]
    chooses, tells = np.array([1, 0, -1, -1])[kind], np.array([1, 0, -1, 1])[kind]

    def choice(at: int) -> np.ndarray:
        z = (chooses / spread)[:, None] * f[:, [at, *BEHIND]]
        meant = (len(BEHIND) + 1) / np.exp(z - z[:, :1]).sum(axis=1)
        return np.where(chooses == 0, 1.0, (1.0 - SLIPS) * meant + SLIPS)

    weight = choice(1) * choice(2) ** float(heard.earlier)
    weight *= expit(tells * (f[:, 4] - f[:, 5]) / spread) ** float(heard.forecast)
    weight /= weight.sum()
    shares = np.bincount(kind, weights=weight, minlength=4)
    np.testing.assert_allclose(ours.kinds, shares, atol=0.06)
    np.testing.assert_allclose(ours.mean[:2], weight @ f[:, :2], atol=0.12)
    later = float(settings.lookahead) * 10.0 * (weight @ np.maximum(f[:, :2] - 0.5, 0.0))
    np.testing.assert_allclose(ours.promise[:2], weight @ f[:, :2] + later, atol=0.35)


def test_padding_changes_nothing() -> None:
    few, more = (found(said([2], [(4, 5)], room)) for room in (1, 6))
    np.testing.assert_allclose(few.kinds, more.kinds, atol=1e-9)
    np.testing.assert_allclose(few.promise, more.promise, atol=1e-9)


# Five trials that were measured, the best first; then eight points nobody knows.
KNOWN = np.array([1.0, 0.5, 0.0, -0.5, -1.0])
RIGHT = [(i, j) for i in range(2, 7) for j in range(i + 1, 7)]
WRONG = [(j, i) for i, j in RIGHT]


def believed(machine: float = 0.0, person: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    mean = np.concatenate([[machine, person], KNOWN, np.zeros(8)])
    return mean, np.diag([1.0, 1.0, *[1e-4] * 5, *[1.0] * 8])


def kinds_after(chosen: list[int], foretold: list[tuple[int, int]]) -> dict[str, float]:
    mean, covariance = believed()
    masks = [np.ones(len(each)) for each in (chosen, foretold)]
    pairs = np.array(foretold, dtype=int).reshape(-1, 2).T
    first = np.array(chosen, dtype=int)
    given = Said(first, masks[0], pairs[0], pairs[1], masks[1], np.arange(2, 15))
    ours = fuse(Mixture.of(mean, covariance), given, ONE, ONE, ONE, Settings())
    return dict(zip(KINDS, np.asarray(ours.kinds).tolist(), strict=True))


def test_what_somebody_is_shows_in_what_they_say_and_choose() -> None:
    assert kinds_after([], RIGHT)["contrary"] < 0.01
    assert kinds_after([], WRONG)["contrary"] > kinds_after([], WRONG)["honest"]
    # Good forecasts, and then the worst of all measured trials: they hide what they want.
    false = kinds_after([6, 5, 6, 5, 6], RIGHT)
    assert max(false, key=false.__getitem__) == "two-faced"
    assert false["two-faced"] > 10 * float(Listening().prior[KINDS.index("two-faced")])
    honest = [kinds_after(chosen, RIGHT)["honest"] for chosen in ([6], [], [2])]
    assert [false["honest"], *honest] == sorted([false["honest"], *honest])


def decides(
    chosen: list[int],
    foretold: list[tuple[int, int]],
    lead: float = 0.0,
    keeps: bool = True,
    others: bool = False,
) -> int:
    mean, covariance = believed()
    expected = mean.copy()
    expected[1] -= lead
    may = np.full(len(mean), others)
    may[:2] = True, keeps
    return decided(
        Mixture.of(mean, covariance),
        chosen,
        foretold,
        8,
        unit=1.0,
        best=1.0,
        left=10.0,
        expected=expected,
        may=may,
        again=bool(chosen),
    ).at


def test_a_new_choice_counts_by_what_came_of_the_old_ones() -> None:
    """Two-faced people foretell well and then choose badly, so a bad choice stops at once."""
    assert decides([], RIGHT) == 1
    assert decides([2], RIGHT) == 1
    assert decides([6], RIGHT) == 0
    # It may have been a mistake: two good ones make up for it, but not for many.
    assert decides([6, 2], RIGHT) == 0
    assert decides([6, 2, 3], RIGHT) == 1
    assert decides([*[6, 5] * 4, 2], RIGHT) == 0
    assert decides([6, 5] * 4, RIGHT) == 0
    assert decides([], WRONG) == 0


def test_a_decision_is_one_program() -> None:
    """Whoever asks for the first one in a process waits for each that has to be compiled."""
    programs: list[str] = []

    def note(event: str, duration: float, **_: object) -> None:
        if event == "/jax/core/compile/backend_compile_duration":
            programs.append(event)

    jax.monitoring.register_event_duration_secs_listener(note)
    many = 2 + 11  # no other test has as many points
    believed, expected = Mixture.of(np.zeros(many), np.eye(many)), np.zeros(many)
    may, numbers = np.ones(many, dtype=bool), {"unit": 1.0, "best": 1.0, "left": 10.0}
    assert decided(believed, [], [], 11, **numbers, expected=expected, may=may).at in range(many)
    assert len(programs) <= 1  # none, if an earlier process kept it


def test_a_plainly_worse_point_and_a_broken_constraint_leave_it_to_the_machine() -> None:
    assert decides([2], RIGHT, keeps=False) == 0
    assert decides([2], RIGHT, lead=2.0) == 0
    assert decides([2], RIGHT, lead=2.0, others=True) == 0


def chosen(
    promise: list[float],
    mean: list[float],
    honest: float = 1.0,
    two_faced: float = 0.0,
    precise: float = 0.0,
    worst: float = 0.0,
    again: bool = False,
) -> int:
    kinds = jnp.array([honest, 1.0 - honest - two_faced, 0.0, two_faced])
    means = jnp.asarray(mean)
    found = Fused(kinds, means, jnp.asarray(promise), jnp.asarray(precise), means + worst)
    may = np.ones(len(mean), dtype=bool)
    return int(choose(found, np.asarray(mean), ONE, Settings(), may, np.asarray(again)))


def test_a_third_point_is_tried_if_it_promises_more_and_nobody_is_stopped() -> None:
    level = [0.0, 0.0, 0.0]
    assert chosen([0.0, 1.0, 3.0], level) == 2
    assert chosen([1.0, 0.0, 3.0], level) == 2
    assert chosen([1.0, 0.0, 0.9], level) == 0
    assert chosen([0.0, 1.0, 0.9], level) == 1
    # Who is not believed has no say in what else is tried.
    assert [chosen([0.0, 1.0, 3.0], level, honest) for honest in (0.3, 0.7)] == [1, 2]
    assert chosen([1.0, 0.0, 3.0], level, honest=0.3) == 0
    # Plainly worse, by what was measured: neither the person's nor what leads there.
    far = float(Settings().behind) + 0.1
    assert chosen([0.0, 1.0, 3.0], [far, 0.0, far]) == 0
    assert chosen([1.0, 0.0, 3.0], [far, far, 0.0]) == 0


def test_a_third_point_yields_to_somebody_precise() -> None:
    level, margin = [0.0, 0.0, 0.0], float(Settings().yielding)
    little, much = [0.0, 1.0, 1.0 + 0.9 * margin], [0.0, 1.0, 1.0 + 1.1 * margin]
    assert [chosen(little, level, precise=each) for each in (0.5, 1.0)] == [2, 1]
    assert chosen(much, level, precise=1.0) == 2
    # To the person alone: the machine's point gives way as before.
    assert chosen([1.0, 0.0, 1.1], level, precise=1.0) == 2


def test_somebody_who_may_want_the_worst_is_not_followed_where_that_costs_much() -> None:
    """What counts is how likely they do, times what it would cost."""
    level, risk = [0.0, 0.0, 0.0], float(Settings().risk)
    promise, loss = [0.0, 1.0, 3.0], 2.0
    suspicions = [risk / loss - 0.01, risk / loss + 0.01]
    assert [chosen(promise, level, 0.6, each, worst=-loss) for each in suspicions] == [2, 0]
    # Half the loss: they are heard.
    assert chosen(promise, level, 0.6, suspicions[1], worst=-0.5 * loss) == 2
    # Who was held back gets another chance in every round: it has to be a smaller one.
    left = float(Settings().again) * suspicions[0]
    later = [chosen(promise, level, 0.6, each, worst=-loss, again=True) for each in suspicions]
    assert later == [0, 0]
    assert chosen(promise, level, 0.6, left, worst=-loss, again=True) == 2


def test_the_more_precise_a_choice_the_more_likely_the_small_spread() -> None:
    """A point that is far ahead of all others, and one that is much like them."""

    def precise(lead: float) -> float:
        mean = np.zeros(15)
        mean[1] = lead
        none, nothing = np.zeros(0, int), np.zeros(0)
        given = Said(none, nothing, none, none, nothing, SPACE)
        believed = Mixture.of(mean, 0.01 * np.eye(15))
        ours = fuse(believed, given, ONE, ONE, ONE, Settings())
        return float(ours.precise)

    assert precise(0.5) > precise(0.0) > precise(-0.5)


SPACE = np.arange(2, 15)


def test_a_decision_says_why_in_a_true_sentence() -> None:
    """The reason names the side that was taken, and no gain that is not there."""
    third = Decided(5, 0.3, True, True).because()
    assert "promises more than both" in third
    assert Decided(1, 0.25, True, True).because().endswith("it is expected to be 0.25 better")
    less = Decided(1, -0.25, True, True).because()
    assert "improve more on the best so far, though" in less
    assert less.endswith("it is expected to be 0.25 worse")
    assert Decided(0, -0.5, False, True).because().endswith("yours is expected to be 0.5 worse")
    assert "the machine's may improve more" in Decided(0, 0.5, False, True).because()
    assert "measured speaks against yours" in Decided(0, 0.5, True, False).because()
    assert "too little speaks for yours so far" in Decided(0, 0.5, True, True).because()


def test_with_a_limit_draws_are_of_the_logarithm_of_the_gap_to_it() -> None:
    logs, spread = 0.3 * MEAN, 0.2 * COVARIANCE
    gaps = np.exp(0.5 * np.diagonal(spread) - logs)
    mean, covariance = gaussian(2.0 - gaps, np.outer(gaps, gaps) * np.expm1(spread), 2.0)
    np.testing.assert_allclose(mean, logs, atol=1e-9)
    np.testing.assert_allclose(covariance, spread, atol=1e-9)
    nothing = said([], [])._replace(background=np.array([1]))  # a choice among one says nothing
    ours = mixed(Mixture.of(mean, covariance), nothing, limit=np.asarray(2.0))
    np.testing.assert_allclose(ours.mean, 2.0 - gaps, atol=0.15)
    assert (np.asarray(ours.mean) < 2.0).all()


@pytest.mark.parametrize("kind", range(4))
def test_a_certain_prior_is_kept(kind: int) -> None:
    prior = np.full(4, 1e-12)
    prior[kind] = 1.0
    ours = found(said([2], [(4, 5)]), Settings(Settings().listening._replace(prior=prior)))
    assert float(ours.kinds[kind]) > 0.999


FIRST = [1, 1, 1, 1, 0, 1, 1, 1, 0, 1, 0, 1, 2, 1, 7, 0, 0, 1, 0, 0]
SECOND = [1, 0, 1, 1, 0, 1, 1, 1, 0, 1, 0, 1, 2, 1, 7, 0, 0, 1, 0, 0]


@pytest.mark.parametrize(("version", "then"), [(1, FIRST), (2, SECOND)])
def test_a_former_version_decides_as_it_did(version: int, then: list[int]) -> None:
    """What the code of that version said of these twenty decisions, with and without a limit."""
    rng, made = np.random.default_rng(0), []
    for i in range(40):
        mean, root = rng.normal(size=29), rng.normal(size=(29, 29))
        covariance = root @ root.T / 29 * rng.uniform(0.1, 2.0)
        limit = None if i % 3 else float(mean.max() + 1.0)
        if i < 20:
            continue
        found = decided(
            Mixture.of(*gaussian(mean, covariance, limit)),
            [2, 3, 4],
            [(5, 6), (7, 8)],
            20,
            unit=1.0,
            best=float(mean.max()),
            left=10.0,
            expected=mean,
            may=np.ones(29, dtype=bool),
            limit=limit,
            settings=settings_of(version),
        )
        made.append(found.at)
    assert made == then
    assert settings_of(version).fits is None


def test_one_fit_is_drawn_from_as_in_the_second_version() -> None:
    """Numbers of its code, and whatever the evidence of a fit that has no rivals."""
    given = said([2], [(4, 5)])
    ours = found(given, settings_of(2))
    np.testing.assert_allclose(ours.kinds, SECOND_KINDS, rtol=1e-6)
    np.testing.assert_allclose(ours.promise[:3], SECOND_PROMISE, rtol=1e-6)
    alone = Mixture(MEAN[None], COVARIANCE[None], np.array([-40.0]))
    for one, other in zip(ours, mixed(alone, given, settings_of(2)), strict=True):
        np.testing.assert_array_equal(one, other)


SECOND_KINDS = [0.585964024, 0.293525007, 0.082866452, 0.037644517]
SECOND_PROMISE = [2.0804073047, 6.298312351, 1.4684534316]
# Beliefs that differ in everything: how high the person's point is, how wide they are.
HIGH, LOW = MEAN + 2.0 * (np.arange(MANY) == 1), MEAN - 2.0 * (np.arange(MANY) == 1)
SEVERAL = Mixture(
    np.stack([HIGH, LOW, MEAN]),
    np.stack([0.1 * COVARIANCE, 0.1 * COVARIANCE, COVARIANCE]),
    np.array([0.0, 0.5, -0.5]),
)


def expected(believed: Mixture) -> float:
    return float(mixed(believed, said([], [(4, 5)])).mean[1])


def test_an_implausible_fit_does_not_matter() -> None:
    given = said([2], [(4, 5)])
    two = Mixture(*(each[:2] for each in SEVERAL))
    hopeless = SEVERAL._replace(logs=np.array([0.0, 0.5, -80.0]))
    for one, other in zip(mixed(two, given), mixed(hopeless, given), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-12)
    # Nor one that cannot be computed.
    broken = SEVERAL._replace(covariances=np.stack([*two.covariances, -COVARIANCE]))
    for one, other in zip(mixed(two, given), mixed(broken, given), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-12)


def test_the_order_of_fits_changes_nothing_but_which_draws_they_get() -> None:
    given = said([2], [(4, 5)])
    turned = Mixture(*(np.roll(each, 1, axis=0) for each in SEVERAL))
    one, other = mixed(SEVERAL, given), mixed(turned, given)
    np.testing.assert_allclose(one.kinds, other.kinds, atol=0.05)
    np.testing.assert_allclose(one.mean, other.mean, atol=0.1)


def test_the_evidence_of_all_fits_together_is_as_good_as_a_constant() -> None:
    given = said([2], [(4, 5)])
    more = SEVERAL._replace(logs=SEVERAL.logs - 1000.0)
    for one, other in zip(mixed(SEVERAL, given), mixed(more, given), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-9)


def test_what_somebody_chose_speaks_for_the_fit_that_has_it_right() -> None:
    def believed(*logs: float) -> Mixture:
        return Mixture(SEVERAL.means[:2], SEVERAL.covariances[:2], np.array(logs))

    high, low = expected(believed(0.0, -50.0)), expected(believed(-50.0, 0.0))
    assert high == pytest.approx(float(expected(Mixture.of(HIGH, 0.1 * COVARIANCE))), abs=0.1)
    assert low < -1.5
    # As plausible as each other, by measurements alone.
    assert expected(believed(0.0, 0.0)) > 0.5 * (high + low) + 1.0


def test_an_unknown_version_is_refused() -> None:
    with pytest.raises(CounselError, match="version 99 of the rule 'fused'"):
        settings_of(99)
