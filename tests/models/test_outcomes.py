"""Beliefs about outcomes, each setting by itself."""

import numpy as np
import pytest

from counsel.models.believing import believe
from counsel.models.outcomes import Answers, Prior, numbers


@pytest.mark.parametrize("left", range(6))
def test_a_number_that_is_left_out_is_expected_from_the_others_alone(left: int) -> None:
    x = np.array([[0.0], [0.2], [0.2], [0.5], [0.9], [0.2]])  # one point was measured three times
    y = np.array([0.1, -0.4, 0.3, 1.2, -1.0, 0.2])
    belief = believe(numbers(x, y), Prior(), 8)
    mean, sd = belief.at(x).left_out(y)

    rows, one = Answers(x, y, np.ones(6), np.zeros(6)), np.arange(6) == left
    kernel, noise = belief.settings.kernel(rows, rows), belief.noise[:, None, None]
    among = kernel[:, ~one][:, :, ~one] + (noise + 1e-9) * np.eye(5)  # as there
    weights = np.linalg.solve(among, kernel[:, ~one][:, :, one])[..., 0]
    means = weights @ y[~one]
    spent = np.einsum("hn,hn->h", weights, kernel[:, ~one][:, :, one][..., 0])
    variances = kernel[:, left, left] - spent + belief.noise + 1e-9
    middle = belief.weight @ means
    assert mean[left] == pytest.approx(middle, rel=1e-6, abs=1e-8)
    spread = belief.weight @ (variances + (means - middle) ** 2)
    assert sd[left] == pytest.approx(np.sqrt(spread), rel=1e-6)
