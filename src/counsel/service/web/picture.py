"""The picture on the Decide page: what is believed, the trials, the proposal, and mine to drag.

Over two numbers it is a map of the expected outcome and one of its uncertainty. Otherwise there is
a slice along every parameter, through the person's own point; over candidates, a scatter over two
columns. The browser draws (belief_picture.js); places are in [0, 1] along each parameter.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from nicegui import events, ui

from counsel.errors import CounselError
from counsel.facts.records import Prediction, Proposal, Value
from counsel.plots._style import LOOKS
from counsel.plots._trials import Trial, trials_of
from counsel.service.web import words
from counsel.space import AnySpace, Arms, Categorical
from counsel.study import Study

__all__ = ["STYLE", "BeliefPicture", "Sight", "of_trial", "on_one_scale", "placed", "sight"]

STYLE = """
.beliefs { display: grid; grid-template-columns: repeat(auto-fit, minmax(240px, 1fr)); gap: 12px;
           width: 100%; }
.beliefs figure { margin: 0; min-width: 0; } .beliefs figcaption { font-weight: 600; }
.beliefs svg { display: block; user-select: none; overflow: visible; }
.beliefs .edge { fill: none; stroke: var(--line); }
.beliefs .line { fill: none; stroke: #0072b2; stroke-width: 2.5; }
.beliefs .band { fill: #0072b2; opacity: .2; } .beliefs .spot { fill: #0072b2; }
.beliefs .mark { stroke: #24303a; stroke-width: 1.2; }
.beliefs .star { fill: white; stroke: #24303a; stroke-width: 1.6; }
.beliefs .ghost { stroke: var(--faint); stroke-dasharray: 4 3; }
.beliefs .mine circle { fill: none; stroke: #d55e00; stroke-width: 3; }
.beliefs .mine .halo { stroke: white; stroke-width: 7; opacity: .85; }
.beliefs .mine .core { fill: #d55e00; stroke: none; }
.beliefs .mine-line { stroke: #d55e00; stroke-width: 1.5; }
.beliefs .ticks line { stroke: var(--faint); } .beliefs .ticks text { fill: var(--faint);
  font-size: 12px; } .beliefs .ticks .title { font-weight: 600; font-size: 13px; }
.beliefs .colours { display: flex; gap: 8px; align-items: center; font-size: 12px;
  color: var(--faint); padding-left: 50px; } .beliefs .colours i { flex: 1; height: 8px;
  border-radius: 4px; }
.signs { display: flex; flex-wrap: wrap; gap: 2px 14px; font-size: 13px; color: var(--faint); }
.signs b { font-weight: 400; color: inherit; }
"""
_SIDE = 41  # grid points along one side of a map
_ALONG = 61  # along a slice
_MOST = 1500  # candidates drawn; of more, a sample
_TRIALS = 300  # trials drawn: the last ones
_SLICES = 12  # parameters with a slice of their own
_PARTS = ("mean", "lower", "upper")  # of a slice

Places = dict[str, float]


class Sight(dict[str, Any]):
    """What the browser draws: `views` and their `scale`; `trials` and `proposal`, if new."""


class BeliefPicture(ui.element, component="belief_picture.js"):
    """The picture; `on_move` is called with parts of a point: places by name, or a row."""

    def __init__(self, on_move: Callable[[Mapping[str, Any]], None], *, still: bool) -> None:
        super().__init__()
        self.props["views"] = []
        self.props["scale"] = None
        self.props["trials"] = []
        self.props["proposal"] = None
        self.props["mine"] = None
        self.props["still"] = still
        self._there = False  # the browser has the whole picture: from then on, parts are sent
        if not still:
            self.on("moved", lambda event: on_move(_arguments(event)))
        self.classes("w-full")

    def show(self, seen: Mapping[str, Any]) -> None:
        for name, value in seen.items():
            self.props[name] = value
        if self._there:
            self.run_method("take", dict(seen))
        else:
            self._there = True
            self.update()

    def turn(self, seen: Mapping[str, Any]) -> None:
        """Show another picture of the same views, which the browser reaches step by step."""
        for name, value in seen.items():
            self.props[name] = value
        self.run_method("morph", dict(seen))

    def place(self, mine: Places) -> None:
        self.props["mine"] = mine
        if self._there:
            self.run_method("take", {"mine": mine})
        else:
            self.update()


def _arguments(event: events.GenericEventArguments) -> Mapping[str, Any]:
    return event.args if isinstance(event.args, Mapping) else {}


# ---- what to draw -------------------------------------------------------------------------------


def sight(
    study: Study,
    proposal: Proposal,
    mine: Mapping[str, Value],
    columns: Sequence[str] = (),
    *,
    whole: bool = True,
) -> Sight:
    """Everything in the picture except the handle; `columns` are those of a scatter.

    While a person drags, trials and proposal are where they were (`whole=False`).
    """
    space = study.problem.space
    context = dict(proposal.context) or None
    if isinstance(space, Arms):
        views, scale = _scatter(study, proposal, mine, columns, context), None
    elif maps_of(space) is not None:
        views, scale = _maps(study, mine, context), None
    else:
        views, scale = _slices(study, mine, context)
    seen = Sight(views=views, scale=scale)
    if whole:
        trials = [t for t in trials_of(study) if t.status in LOOKS and t.status != "proposed"]
        seen["trials"] = [_mark(space, trial) for trial in trials[-_TRIALS:]]
        seen["proposal"] = placed(space, proposal.values)
    return seen


def of_trial(study: Study, proposal: Proposal, values: Mapping[str, Value]) -> Sight:
    """What is believed around values that are tried for a proposal; the star is there."""
    space = study.problem.space
    columns = [*space.names, *space.names][:2] if isinstance(space, Arms) else []
    seen = sight(study, proposal, values, columns)
    seen["proposal"] = placed(space, values)
    return seen


def on_one_scale(first: Sight, second: Sight) -> tuple[Sight, Sight]:
    """Two pictures of the same views, whose colours and heights mean the same in both."""
    both = [first, second]
    if first["scale"] is not None and second["scale"] is not None:
        low, high = (pick(seen["scale"][i] for seen in both) for i, pick in enumerate((min, max)))
        return _rescaled(first, low, high), _rescaled(second, low, high)
    made = [Sight(seen, views=[dict(view) for view in seen["views"]]) for seen in both]
    for pair in zip(*(seen["views"] for seen in made), strict=True):
        if all("low" in view for view in pair):
            ends = min(view["low"] for view in pair), max(view["high"] for view in pair)
            for view in pair:
                view |= _coloured(*ends)
    return made[0], made[1]


def _rescaled(seen: Sight, low: float, high: float) -> Sight:
    """Slices with other ends of their common scale."""
    before, span = seen["scale"], (high - low) or 1.0
    wide, shift = (before[1] - before[0]) / span, (before[0] - low) / span
    views = [
        {
            **view,
            "y": {**view["y"], "ticks": _ticks(low, high)},
            **{part: _rounded(shift + wide * np.array(view[part])) for part in _PARTS},
        }
        for view in seen["views"]
    ]
    return Sight(seen, views=views, scale=(low, high))


def _coloured(low: float, high: float) -> dict[str, Any]:
    """The ends of a scale of colours."""
    ends = {"lowest": low, "highest": high}
    texts = {name: words.number(float(f"{end:.3g}")) for name, end in ends.items()}
    return {"low": low, "high": high, **texts}


def maps_of(space: AnySpace) -> tuple[str, str] | None:
    """The two numbers that a map is drawn over; None if it is not two."""
    if isinstance(space, Arms) or len(space.names) != 2:
        return None
    numeric = [n for n, p in space.parameters.items() if not isinstance(p, Categorical)]
    return (numeric[0], numeric[1]) if len(numeric) == 2 else None


def placed(space: AnySpace, values: Mapping[str, Value]) -> Places:
    """Where values lie along each parameter; parameters that do not apply are left out."""
    if isinstance(space, Arms):
        return _placed_row(space, space.index(values)) if values else {}
    found = {}
    for name, parameter in space.parameters.items():
        if name not in values:
            continue
        if isinstance(parameter, Categorical):
            found[name] = _level(parameter.choices, values[name])
        else:
            found[name] = float(np.clip(parameter.encode(values[name])[0], 0.0, 1.0))
    return found


def _level(choices: Sequence[Any], value: object) -> float:
    return (list(choices).index(value) + 0.5) / len(choices)


def _believed(
    study: Study, points: list[dict[str, Value]], context: Mapping[str, Value] | None
) -> list[Prediction] | None:
    try:
        return study.predict_many(points, context=context)
    except CounselError:  # a policy without beliefs
        return None


def _maps(
    study: Study, mine: Mapping[str, Value], context: Mapping[str, Value] | None
) -> list[dict[str, Any]]:
    space = study.problem.space
    names = maps_of(space)
    assert names is not None
    assert not isinstance(space, Arms)
    first, second = (space.parameters[name] for name in names)
    steps = np.linspace(0.0, 1.0, _SIDE)
    across = [first.decode([u]) for u in steps]
    up = [second.decode([v]) for v in steps]
    grid = [{**mine, names[0]: x, names[1]: y} for y in up for x in across]
    beliefs = _believed(study, grid, context)
    axes = {"x": _axis(space, names[0]), "y": _axis(space, names[1])}
    objective = study.problem.objective.name
    where = f"over {names[0]} and {names[1]}"
    if beliefs is None:
        text = f"No beliefs yet {where}"
        return [{**axes, "caption": "Nothing is believed yet", "words": text}]
    found = []
    for scale, caption in (("mean", f"Expected {objective}"), ("sd", "Uncertainty (1 sd)")):
        z = np.array([getattr(each, scale) for each in beliefs]).reshape(_SIDE, _SIDE)
        low, high = float(z.min()), float(z.max())
        found.append(
            {
                **axes,
                "z": _rounded(z),
                "scale": scale,
                **_coloured(low, high),
                "caption": _safe(caption),
                "words": f"Map: {caption} {where}, from {low:.3g} to {high:.3g}, with the trials",
            }
        )
    return found


def _slices(
    study: Study, mine: Mapping[str, Value], context: Mapping[str, Value] | None
) -> tuple[list[dict[str, Any]], tuple[float, float] | None]:
    """A view along each parameter through `mine`, and the range of their common scale."""
    space, objective = study.problem.space, study.problem.objective.name
    assert not isinstance(space, Arms)
    lines: list[tuple[str, list[float], list[dict[str, Value]]]] = []
    for name in [n for n in space.names if n in mine][:_SLICES]:
        parameter = space.parameters[name]
        if isinstance(parameter, Categorical):
            places = [_level(parameter.choices, choice) for choice in parameter.choices]
            values: list[Any] = list(parameter.choices)
        else:
            places = np.linspace(0.0, 1.0, _ALONG).tolist()
            values = [parameter.decode([u]) for u in places]
        points = [{**mine, name: value} for value in values]
        kept = [
            i for i, point in enumerate(points) if not space.restricted or _allowed(space, point)
        ]
        lines.append((name, [places[i] for i in kept], [points[i] for i in kept]))
    beliefs = _believed(study, [p for _, _, points in lines for p in points], context)
    if not beliefs:
        views: list[dict[str, Any]] = [
            {
                "x": _axis(space, name),
                "y": {"ticks": [], "title": ""},
                "caption": _safe(name),
                "words": f"Nothing is believed yet along {name}",
            }
            for name, _, _ in lines
        ]
        return views, None
    measured = [o.outcomes[objective] for o in study.observations if objective in o.outcomes]
    table = np.array([[b.mean, *b.interval()] for b in beliefs])
    low = min([float(table[:, 1].min()), *measured])
    high = max([float(table[:, 2].max()), *measured])
    span = high - low or 1.0
    upright = {"title": objective, "ticks": _ticks(low, high)}
    views, begun = [], 0
    for name, places, points in lines:
        shares = (table[begun : begun + len(points)] - low) / span
        begun += len(points)
        views.append(
            {
                "x": _axis(space, name),
                "y": upright,
                "at": places,
                "mean": _rounded(shares[:, 0]),
                "lower": _rounded(shares[:, 1]),
                "upper": _rounded(shares[:, 2]),
                "levels": isinstance(space.parameters[name], Categorical),
                "caption": _safe(f"Along {name}"),
                "words": f"Expected {objective} along {name}, all else as in mine, with 95% band",
            }
        )
    return views, (low, high)


def _allowed(space: AnySpace, point: Mapping[str, Value]) -> bool:
    """Whether a point meets what is required of inputs."""
    try:
        space.encode(point)
    except CounselError:
        return False
    return True


def _scatter(
    study: Study,
    proposal: Proposal,
    mine: Mapping[str, Value],
    columns: Sequence[str],
    context: Mapping[str, Value] | None,
) -> list[dict[str, Any]]:
    arms, objective = study.problem.space, study.problem.objective.name
    assert isinstance(arms, Arms)
    first, second = columns
    rows = np.arange(len(arms))
    if len(arms) > _MOST:
        rows = np.random.default_rng(0).choice(len(arms), _MOST, replace=False)
    shown = {int(row) for row in rows} | {arms.index(proposal.values)}
    shown |= {arms.index(mine)} if mine else set()
    points = {row: arms[row] for row in sorted(shown)}
    beliefs = _believed(study, list(points.values()), context)
    means = [None] * len(points) if beliefs is None else [b.mean for b in beliefs]
    known = [mean for mean in means if mean is not None]
    low, high = (min(known), max(known)) if known else (0.0, 1.0)
    dots = []
    for (row, point), mean in zip(points.items(), means, strict=True):
        place = _placed_row(arms, row)
        title = words.point(point) + ("" if mean is None else f"; expected {words.number(mean)}")
        dots.append([place[first], place[second], mean, row, title])
    some = f" ({_MOST} of {len(arms)} are drawn)" if len(arms) > _MOST else ""
    return [
        {
            "x": _axis(arms, first),
            "y": _axis(arms, second),
            "dots": dots,
            "scale": "mean",
            "low": low,
            "high": high,
            "lowest": words.number(float(f"{low:.3g}")) if known else "",
            "highest": words.number(float(f"{high:.3g}")) if known else "",
            "caption": _safe(f"Expected {objective} of each candidate{some}"),
            "words": f"Expected {objective} of the candidates over {first} and {second}",
        }
    ]


def _mark(space: AnySpace, trial: Trial) -> dict[str, Any]:
    look = LOOKS[trial.status]
    value = "not measured" if trial.value is None else f"measured {words.number(trial.value)}"
    return {
        "at": placed(space, trial.values),
        "value": trial.value,
        "symbol": look.symbol,
        "colour": look.colour,
        "title": f"{look.name}, {words.point(trial.values)}: {value}",
    }


# ---- axes ---------------------------------------------------------------------------------------


def _axis(space: AnySpace, name: str) -> dict[str, Any]:
    if isinstance(space, Arms):
        labels = space.labels(name)
        ticks = _levels(labels) if labels is not None else _ticks_of(space, name)
        return {"name": name, "title": name, "ticks": ticks}
    parameter, title = space.parameters[name], space.title(name)
    if isinstance(parameter, Categorical):
        return {"name": name, "title": title, "ticks": _levels(parameter.choices)}
    if parameter.log:
        low, high = math.log10(parameter.low), math.log10(parameter.high)
        powers = range(math.ceil(low - 1e-9), math.floor(high + 1e-9) + 1)
        step = max(1, len(powers) // 4)
        ticks = [[(p - low) / (high - low), f"1e{p}"] for p in list(powers)[::step]]
        ends = [[0.0, words.number(parameter.low)], [1.0, words.number(parameter.high)]]
        return {"name": name, "title": f"{title} (log)", "ticks": ticks or ends}
    return {"name": name, "title": title, "ticks": _ticks(parameter.low, parameter.high)}


def _levels(choices: Sequence[Any]) -> list[list[Any]]:
    step = max(1, math.ceil(len(choices) / 8))
    return [[(i + 0.5) / len(choices), str(choices[i])[:12]] for i in range(0, len(choices), step)]


def _ticks(low: float, high: float) -> list[list[Any]]:
    """Three to six round numbers between two ends, with their places."""
    span = high - low
    if not span > 0.0:
        return [[0.5, words.number(float(low))]]
    power = 10.0 ** math.floor(math.log10(span / 4.0))
    step = next(power * k for k in (1, 2, 5, 10) if span / (power * k) <= 5.5)
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [
        [(k * step - low) / span, words.number(float(f"{k * step:.6g}"))]
        for k in range(first, last + 1)
    ]


def _ticks_of(arms: Arms, name: str) -> list[list[Any]]:
    column = arms.points[:, arms.columns(name).start]
    ends = [float(arms[int(row)][name]) for row in (np.argmin(column), np.argmax(column))]
    middle = int(np.argmin(np.abs(column - 0.5)))
    share = (float(arms[middle][name]) - ends[0]) / ((ends[1] - ends[0]) or 1.0)
    if abs(share - float(column[middle])) > 1e-6:  # by its logarithm: only the ends are labelled
        return [[0.0, words.number(ends[0])], [1.0, words.number(ends[1])]]
    return _ticks(ends[0], ends[1])


def _placed_row(arms: Arms, row: int) -> Places:
    found, point = {}, arms.points[row]
    for name in arms.names:
        labels, columns = arms.labels(name), arms.columns(name)
        if labels is None:
            found[name] = round(float(point[columns.start]), 4)
        else:
            found[name] = (float(np.argmax(point[columns])) + 0.5) / len(labels)
    return found


def _rounded(values: Any) -> Any:
    """Few digits: it is sent with every move."""
    return np.round(np.asarray(values, dtype=np.float64), 4).tolist()


def _safe(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")
