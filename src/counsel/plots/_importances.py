"""Figure of how much the expected objective varies with each parameter."""

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go

from counsel.facts.records import Value
from counsel.plots._style import BELIEF, TEMPLATE, empty, text
from counsel.space import Arms
from counsel.study import StudyLike

__all__ = ["importances", "shares_of"]

_POINTS = 256
_SLICES = 16
_SEED = 9


def importances(study: StudyLike, *, context: Mapping[str, Value] | None = None) -> go.Figure:
    """How much of the expected objective's variance over the space each parameter explains.

    In a box it is the total effect: what remains unknown if all others are known (Jansen 1999).
    Effects that need two parameters count for both, so shares may add up to more than 100 %. Among
    arms and in spaces with requirements, where one parameter cannot vary alone, it is the share
    that the parameter explains by itself.
    """
    title = f"What {text(study.problem.objective.name)} depends on, as believed"
    found = shares_of(study, context=context)
    if found is None:
        return empty(title, "There are no beliefs yet, or the same is expected everywhere.")
    ordered = sorted(found.items(), key=lambda item: item[1])
    figure = go.Figure(layout={"template": TEMPLATE, "title": {"text": title}})
    figure.add_bar(
        x=[100.0 * share for _, share in ordered],
        y=[text(name) for name, _ in ordered],
        orientation="h",
        marker={"color": BELIEF},
        hovertemplate="%{y}: %{x:.0f} %<extra></extra>",
    )
    figure.update_xaxes(title={"text": "% of the variance"}, rangemode="tozero")
    figure.update_layout(showlegend=False, height=160 + 28 * len(ordered))
    return figure


def shares_of(
    study: StudyLike, *, context: Mapping[str, Value] | None = None
) -> dict[str, float] | None:
    """The share of each parameter in the variance of what is expected over the space."""
    space = study.problem.space
    rng = np.random.default_rng(_SEED)
    if isinstance(space, Arms) or space.restricted:
        if isinstance(space, Arms):
            rows = rng.permutation(len(space))[: 4 * _POINTS]
            points, u = [space[int(row)] for row in rows], space.points[rows]
        else:
            u = space.sample(4 * _POINTS, rng)
            points = [space.decode(each) for each in u]
        beliefs = study.predict_many(points, context=context)
        if beliefs is None:
            return None
        mean = np.array([each.mean for each in beliefs])
        if not mean.var() > 0.0:
            return None
        return {name: _alone(u[:, space.columns(name)], mean) for name in space.names}
    base, other = space.sample(_POINTS, rng), space.sample(_POINTS, rng)
    blocks = [base]
    for name in space.names:
        swapped = base.copy()
        swapped[:, space.columns(name)] = other[:, space.columns(name)]
        blocks.append(swapped)
    points = [space.decode(each) for block in blocks for each in block]
    beliefs = study.predict_many(points, context=context)
    if beliefs is None:
        return None
    means = np.array([each.mean for each in beliefs]).reshape(len(blocks), _POINTS)
    total = float(means.var())
    if not total > 0.0:
        return None
    # An estimate: of what depends on one parameter alone it may come out above all of it.
    apart = (((means[1:] - means[0]) ** 2).mean(axis=1) / (2.0 * total)).clip(max=1.0)
    return dict(zip(space.names, apart.tolist(), strict=True))


def _alone(columns: np.ndarray, mean: np.ndarray) -> float:
    """The variance of the mean within slices of one parameter, as a share of the whole."""
    if columns.shape[1] > 1:
        slice_of = columns.argmax(axis=1)
    else:
        ranks = np.argsort(np.argsort(columns[:, 0], kind="stable"), kind="stable")
        distinct = np.unique(columns[:, 0], return_inverse=True)[1]
        few = distinct.max() < _SLICES
        slice_of = distinct if few else ranks * _SLICES // len(ranks)
    centres = np.array([mean[slice_of == each].mean() for each in slice_of])
    return float(centres.var() / mean.var())
