"""Attributions in shap's own form."""

from typing import Any

import numpy as np
import pytest

from counsel.explain.attribution import Attribution

WHY = Attribution(
    terms=("exploitation", "approximation"),
    parameters=("dose", "kind"),
    values=np.array([[1.0, -0.5], [0.2, 0.1]]),
    base=np.array([2.0, 1.0]),
    total=np.array([2.5, 1.3]),
    error=np.zeros((2, 2)),
    methods=("enumerated", "enumerated"),
    background="",
    evaluations=0,
    point={"dose": 3.0, "kind": "u"},
    context={},
)


@pytest.fixture(scope="module")
def shap() -> Any:
    """Imported here and not above: every test process collects this file, and it takes 100 MB."""
    return pytest.importorskip("shap")


def test_explanations_carry_the_numbers(shap: Any) -> None:
    found = WHY.to_shap()
    assert list(found) == ["exploitation", "approximation", "sum"]
    np.testing.assert_array_equal(found["sum"].values, [1.2, -0.4])
    assert found["sum"].base_values == 3.0
    assert found["exploitation"].feature_names == ["dose", "kind"]
    for explanation in found.values():
        assert isinstance(explanation, shap.Explanation)


@pytest.mark.filterwarnings("ignore")
def test_shaps_own_plots_accept_them(shap: Any) -> None:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    for explanation in WHY.to_shap().values():
        shap.plots.waterfall(explanation, show=False)
        shap.plots.bar(explanation, show=False)
        plt.close("all")
