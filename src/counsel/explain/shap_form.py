"""Attributions as `shap.Explanation`s, for shap's own plots."""

from typing import TYPE_CHECKING, Any

import numpy as np

from counsel.errors import InvalidInput, install

if TYPE_CHECKING:
    from counsel.explain.attribution import Attribution


def explanations(attribution: "Attribution") -> dict[str, Any]:
    """One explanation for each term, and for their "sum" if they have one.

    `shap.plots.waterfall` takes any of them.
    """
    try:
        import shap
    except ImportError:
        raise InvalidInput(
            "to_shap", "shap is not installed", f"Install it: {install('shap')}."
        ) from None
    # A parameter that does not exist at this point has no value.
    point = attribution.point
    data = np.array([point.get(name) for name in attribution.parameters], dtype=object)

    def one(values: Any, base: float, error: Any) -> Any:
        return shap.Explanation(
            values=np.array(values),
            base_values=base,
            data=data,
            error_std=np.array(error),
            feature_names=list(attribution.parameters),
        )

    found = {
        term: one(attribution.values[i], float(attribution.base[i]), attribution.error[i])
        for i, term in enumerate(attribution.terms)
    }
    if not attribution.additive:
        return found
    together = np.sqrt((attribution.error**2).sum(axis=0))
    found["sum"] = one(attribution.values.sum(axis=0), float(attribution.base.sum()), together)
    return found
