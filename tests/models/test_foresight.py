"""What is told is as wide as forecasts turned out wrong."""

import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.stats import norm, t

from counsel.facts.records import Prediction
from counsel.models.foresight import Stretch, stretch_after
from counsel.models.warp import FLOOR, Warp

NOTHING = np.zeros(0)
LARGE = np.full(100, 1e9)


def after(errors: np.ndarray, seen: np.ndarray | None = None) -> Stretch:
    """The stretch after forecasts of 0 with a model's sd of 1, each told as it was known then."""
    told: list[Prediction] = []
    count = len(errors)
    seen = 2.0 * np.arange(count) if seen is None else seen
    at = 2.0 * np.arange(count) + 2.0
    for i in range(count):
        known = at[:i] <= seen[i]
        rows = np.flatnonzero(known)
        then = stretch_after(
            errors[rows],
            [told[j] for j in rows],
            np.zeros(len(rows)),
            seen[rows],
            at[rows],
            LARGE[rows],
            1e9,
        )
        told.append(Prediction(0.0, float(then.wider(np.ones(1))[0])))
    return stretch_after(errors, told, np.zeros(count), seen, at, LARGE[:count], 1e9)


def by_integration(errors: np.ndarray) -> float:
    """The same by adaptive quadrature over log sigma."""
    weights = 0.95 ** np.arange(len(errors) - 1, -1, -1)

    def density(log_sigma: float) -> float:
        each = t.logpdf(errors / math.exp(log_sigma), 3) - log_sigma
        return float(norm.pdf(log_sigma) * np.exp(weights @ each + weights.sum()))

    def mean(of: object) -> float:
        return float(quad(of, -4.0, 5.0, points=[0.0, 1.0, 2.0], limit=200)[0])  # type: ignore[arg-type]

    whole = mean(density)

    def missed(reach: float) -> float:
        inside = mean(lambda s: density(s) * (1.0 - 2.0 * t.sf(reach / math.exp(s), 3)))
        return inside / whole - 0.95

    return float(brentq(missed, 0.1, 500.0)) / 1.96


@pytest.mark.parametrize("size", [0.3, 1.0, 6.0])
def test_the_factor_is_that_of_integration_whatever_was_told_before(size: float) -> None:
    errors = size * np.random.default_rng(3).standard_normal(12)
    assert after(errors).factor == pytest.approx(by_integration(errors), rel=0.02)


def test_a_batch_was_told_by_what_was_known_when_it_was_asked_for() -> None:
    errors = 5.0 * np.random.default_rng(4).standard_normal(12)
    seen = np.repeat([0.0, 8.0, 16.0], 4)
    assert after(errors, seen).factor == pytest.approx(by_integration(errors), rel=0.02)


def test_what_is_capped_is_undone_as_it_was_told() -> None:
    """Where the most that errors add binds, the factor stays that of the model's own sds."""
    errors = np.random.default_rng(6).standard_normal(40)
    places, told = 2.0 * np.arange(40), []
    for i in range(40):
        then = stretch_after(
            errors[:i], told, np.zeros(i), places[:i], places[:i] + 1.0, np.ones(i), 1.0
        )
        told.append(Prediction(0.0, float(then.wider(np.full(1, 0.1))[0])))
    found = stretch_after(errors, told, np.zeros(40), places, places + 1.0, np.ones(40), 1.0)
    assert found.factor == pytest.approx(by_integration(10.0 * errors), rel=0.1)


def test_before_anything_was_foretold_there_is_a_little_room() -> None:
    assert stretch_after(
        NOTHING, [], NOTHING, NOTHING, NOTHING, NOTHING, 1.0
    ).factor == pytest.approx(by_integration(NOTHING), rel=0.02)


@pytest.mark.parametrize("size", [0.5, 4.0])
def test_after_some_trials_nineteen_of_twenty_are_within(size: float) -> None:
    held = []
    for seed in range(2):
        errors = size * np.random.default_rng(seed).standard_normal(60)
        told: list[Prediction] = []
        places = 2.0 * np.arange(len(errors))
        for i, error in enumerate(errors):
            stretch = stretch_after(
                errors[:i], told, np.zeros(i), places[:i], places[:i] + 1.0, LARGE[:i], 1e9
            )
            told.append(Prediction(0.0, float(stretch.wider(np.ones(1))[0])))
            held.append(abs(error) <= 1.96 * told[-1].sd)
    # Student's t expects larger errors than these have.
    assert 0.94 <= np.mean(held) <= 1.0


def test_noise_of_a_measurement_is_no_error_of_the_forecast() -> None:
    rng = np.random.default_rng(5)
    told = [Prediction(0.0, 1.0)] * 30
    places = 2.0 * np.arange(30)
    y = 10.0 * rng.standard_normal(30)
    deaf = stretch_after(y, told, np.zeros(30), places, places + 1.0, LARGE[:30], 1e9)
    aware = stretch_after(y, told, np.full(30, 10.0), places, places + 1.0, LARGE[:30], 1e9)
    assert aware.factor < 0.2 * deaf.factor


def test_a_wide_stretch_does_not_stay_wide_because_of_noise() -> None:
    """Three bad forecasts, then one point measured again and again, with noise of 1."""

    def after_all(*, forgiving: bool) -> float:
        rng, told, y = np.random.default_rng(8), list[Prediction](), list[float]()
        places = 2.0 * np.arange(40)
        for i in range(40):
            stretch = stretch_after(
                np.array(y),
                told,
                np.ones(i),
                places[:i],
                places[:i] + 1.0,
                LARGE[:i],
                1e9,
                forgiving=forgiving,
            )
            sd = 1.0 if i < 3 else 0.2
            told.append(Prediction(0.0, float(stretch.wider(np.array([sd]))[0])))
            y.append(20.0 if i < 3 else float(rng.standard_normal()))
        return stretch.factor

    assert after_all(forgiving=True) < 2.5
    assert after_all(forgiving=False) > 4.0  # as studies of earlier versions report it


def test_no_sd_grows_by_more_than_forecasts_were_wrong() -> None:
    places = 2.0 * np.arange(30)
    y = np.full(30, 3.0)
    found = stretch_after(
        y, [Prediction(0.0, 0.1)] * 30, np.zeros(30), places, places + 1.0, np.full(30, 3.0), 3.0
    )
    assert found.most == pytest.approx(1.5 * 3.0)
    sd = np.array([0.0, 0.1, 1.0, 100.0])
    wider = found.wider(sd)
    assert wider[0] == 0.0
    assert (wider >= sd).all()
    assert (wider <= np.hypot(sd, 4.5) + 1e-12).all()


@pytest.mark.parametrize("sign", [1.0, -1.0], ids=["gaps", "payoffs"])
def test_what_is_told_of_a_scale_is_one_distribution(sign: float) -> None:
    """Moments, joint moments and a prediction's quantiles are those of one log-normal gap."""
    y = np.array([-3.0, 0.0, 1.0, 2.5, 3.0])
    told = Warp.of(y, FLOOR, sign).told(Stretch(2.5, 0.7))
    mean, sd = np.array([-0.4, 0.9]), np.array([0.3, 0.8])
    covariance = np.array([[0.09, 0.12], [0.12, 0.64]])
    expected, spread = told.moments(mean, sd)
    assert expected == pytest.approx(Warp.of(y, FLOOR, sign).from_scale(mean))
    together, joint = told.joint_moments(mean, covariance)
    assert together == pytest.approx(expected)
    assert np.sqrt(np.diagonal(joint)) == pytest.approx(spread)
    gaps, logs = told.logs(mean, covariance)
    normals = np.random.default_rng(0).standard_normal(200_000)
    drawn = told.limit - sign * gaps[0] * np.exp(math.sqrt(logs[0, 0]) * normals - 0.5 * logs[0, 0])
    low, high = Prediction(float(expected[0]), float(spread[0]), told.limit).interval()
    assert np.mean(drawn) == pytest.approx(expected[0], abs=0.02)
    assert np.std(drawn) == pytest.approx(spread[0], rel=0.02)
    assert np.mean((drawn >= low) & (drawn <= high)) == pytest.approx(0.95, abs=0.003)


def test_without_a_stretch_the_end_of_the_scale_stays() -> None:
    warp = Warp.of(np.array([-3.0, 0.0, 1.0]), FLOOR)
    assert warp.told(Stretch(1.0, 9.0)).limit == pytest.approx(warp.limit)
    assert warp.told(Stretch(3.0, 9.0)).limit == pytest.approx(
        warp.top + 3.0 * (warp.limit - warp.top)
    )
