"""Small animations of the worlds whose arms are movements."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import plotly.graph_objects as go

from counsel.facts.records import Value
from counsel.plots._style import FAINT, INK, TEMPLATE
from counsel.worlds.constrained import ConstrainedWorld
from counsel.worlds.driving import LANE, SETTINGS, drive, other_car
from counsel.worlds.robot_arm import WALL, arm_positions, movements_of, robot_arm

_SAFE, _UNSAFE = "#0072b2", "#d55e00"
_WAYS = ((_SAFE, "solid"), (_UNSAFE, "dash"))  # how ways that are shown together differ
_HEIGHT = 460


def driving_figure(world: ConstrainedWorld) -> go.Figure:
    """Every way to drive of an instance, and the car that changes lane, step by step."""
    settings = np.array([[arm[name] for name in SETTINGS] for arm in world.arms], dtype=np.float64)
    states, other = drive(settings).states, other_car()
    figure = _empty("Ten ways to drive past a car that changes lane")
    _draw_road(figure)
    for arm, path in enumerate(states):
        safe = bool(world.safe[arm])
        figure.add_scatter(
            x=path[:, 0], y=path[:, 1], mode="lines", showlegend=False,
            line={"color": _SAFE if safe else _UNSAFE, "width": 1.4,
                  "dash": "solid" if safe else "dot"},
            hovertemplate=f"arm {arm}, payoff {world.payoffs[0, arm]:.2f}<extra></extra>",
        )  # fmt: skip
    still = len(figure.data)
    for trace in _cars(world, states, other, 0):
        figure.add_trace(trace)
    moving = list(range(still, still + 3))
    frames = [
        go.Frame(data=_cars(world, states, other, step), traces=moving, name=str(step))
        for step in range(states.shape[1])
    ]
    figure.update_xaxes(title={"text": "across the road"}, range=[-0.45, 0.45])
    figure.update_yaxes(title={"text": "along the road"}, range=[-0.2, float(states[..., 1].max())])
    return _animated(figure, frames)


def drive_figure(ways: Mapping[str, Mapping[str, Value]]) -> go.Figure:
    """One way to drive or several, by name, beside the car that changes lane, step by step."""
    settings = [[way[name] for name in SETTINGS] for way in ways.values()]
    paths = drive(np.array(settings, dtype=np.float64)).states
    other = other_car()
    looks = zip(ways, paths, _WAYS, strict=False)
    cast = [(name, path, colour, "triangle-up", dash) for name, path, (colour, dash) in looks]
    cast.append(("the other car", other, FAINT, "square", "dot"))
    figure = _empty("")
    _draw_road(figure)
    for _, line, colour, _, dash in cast:
        figure.add_scatter(
            x=line[:, 0], y=line[:, 1], mode="lines", showlegend=False, hoverinfo="skip",
            line={"color": colour, "width": 2, "dash": dash},
        )  # fmt: skip

    def cars(step: int) -> list[go.Scatter]:
        return [
            go.Scatter(
                x=[line[step, 0]], y=[line[step, 1]], mode="markers", name=name,
                marker={"color": colour, "symbol": symbol, "size": 15},
            )
            for name, line, colour, symbol, _ in cast
        ]  # fmt: skip

    for trace in cars(0):
        figure.add_trace(trace)
    moving = list(range(len(cast), 2 * len(cast)))
    frames = [
        go.Frame(data=cars(step), traces=moving, name=str(step)) for step in range(len(other))
    ]
    figure.update_xaxes(title={"text": "across the road"}, range=[-0.45, 0.45])
    figure.update_yaxes(title={"text": "along the road"}, range=[-0.2, 3.2])
    return _animated(figure, frames)


def _draw_road(figure: go.Figure) -> None:
    for side in (-1.5, -0.5, 0.5, 1.5):
        edge = abs(side) > 1.0
        figure.add_vline(x=side * LANE, line={"color": FAINT, "dash": "solid" if edge else "dash"})


def _cars(
    world: ConstrainedWorld, states: np.ndarray, other: np.ndarray, step: int
) -> list[go.Scatter]:
    here = states[:, step]
    kinds = (("safe", world.safe, _SAFE, "triangle-up"), ("unsafe", ~world.safe, _UNSAFE, "x"))
    cars = [
        go.Scatter(
            x=here[which, 0], y=here[which, 1], mode="markers", name=name,
            marker={"color": colour, "symbol": symbol, "size": 11},
        )
        for name, which, colour, symbol in kinds
    ]  # fmt: skip
    cars.append(
        go.Scatter(
            x=[other[step, 0]], y=[other[step, 1]], mode="markers", name="the other car",
            marker={"color": INK, "symbol": "square", "size": 13},
        )
    )  # fmt: skip
    return cars


def robot_arm_figure(seed: int = 0, shown: int = 6) -> go.Figure:
    """A few movements of an instance: some safe, some that hit the wall."""
    world = robot_arm(seed)
    states = movements_of(seed).states
    safe, unsafe = np.flatnonzero(world.safe), np.flatnonzero(~world.safe)
    chosen = np.concatenate([safe[: shown // 2], unsafe[: shown - shown // 2]])
    figure = _empty("Movements of a two-link arm beside a wall")
    figure.add_vline(x=WALL, line={"color": INK, "width": 3})
    hands = [arm_positions(states[arm])[:, 2] for arm in chosen]
    for arm, path in zip(chosen, hands, strict=True):
        colour = _SAFE if world.safe[arm] else _UNSAFE
        figure.add_scatter(
            x=path[:, 0], y=path[:, 1], mode="lines", showlegend=False, hoverinfo="skip",
            line={"color": colour, "width": 1, "dash": "solid" if world.safe[arm] else "dot"},
        )  # fmt: skip
    still = len(figure.data)
    for trace in _links(world, states, chosen, 0):
        figure.add_trace(trace)
    moving = list(range(still, still + len(chosen)))
    frames = [
        go.Frame(data=_links(world, states, chosen, step), traces=moving, name=str(step))
        for step in range(states.shape[1])
    ]
    figure.update_xaxes(range=[-2.2, 2.2])
    figure.update_yaxes(range=[-2.2, 2.2], scaleanchor="x")
    return _animated(figure, frames)


def movement_figure(movements: Mapping[str, np.ndarray]) -> go.Figure:
    """One movement of the two-link arm or several, by name, beside the wall, step by step."""
    ways = [
        (name, arm_positions(states), colour, dash)
        for (name, states), (colour, dash) in zip(movements.items(), _WAYS, strict=False)
    ]
    figure = _empty("")
    figure.add_vrect(x0=WALL, x1=2.2, fillcolor=FAINT, opacity=0.3, line_width=0)
    figure.add_vline(x=WALL, line={"color": FAINT, "width": 3})
    for _, joints, colour, _ in ways:
        figure.add_scatter(
            x=joints[:, 2, 0], y=joints[:, 2, 1], mode="lines", showlegend=False,
            line={"color": colour, "width": 1.5, "dash": "dot"}, hoverinfo="skip",
        )  # fmt: skip

    def arms(step: int) -> list[go.Scatter]:
        return [
            go.Scatter(
                x=joints[min(step, len(joints) - 1), :, 0],
                y=joints[min(step, len(joints) - 1), :, 1],
                mode="lines+markers", name=name,
                line={"color": colour, "width": 5, "dash": dash}, marker={"size": 10},
            )
            for name, joints, colour, dash in ways
        ]  # fmt: skip

    for trace in arms(0):
        figure.add_trace(trace)
    moving = list(range(len(ways), 2 * len(ways)))
    longest = max(len(joints) for _, joints, _, _ in ways)
    frames = [go.Frame(data=arms(i), traces=moving, name=str(i)) for i in range(longest)]
    figure.update_xaxes(range=[-2.2, 2.2])
    figure.update_yaxes(range=[-2.2, 2.2], scaleanchor="x")
    return _animated(figure, frames)


def _links(
    world: ConstrainedWorld, states: np.ndarray, chosen: np.ndarray, step: int
) -> list[go.Scatter]:
    traces = []
    for arm in chosen:
        joints = arm_positions(states[arm])[step]
        safe = bool(world.safe[arm])
        traces.append(
            go.Scatter(
                x=joints[:, 0], y=joints[:, 1], mode="lines+markers",
                name=f"arm {arm}, {'safe' if safe else 'hits the wall'}",
                line={"color": _SAFE if safe else _UNSAFE, "width": 4},
                marker={"size": 9, "symbol": "circle" if safe else "x"},
            )
        )  # fmt: skip
    return traces


def _empty(title: str) -> go.Figure:
    layout = {"template": TEMPLATE, "title": {"text": title}, "height": _HEIGHT}
    figure = go.Figure(layout=layout)
    return figure if title else figure.update_layout(margin={"t": 12})


def _animated(figure: go.Figure, frames: list[go.Frame]) -> go.Figure:
    """Add a button to play it and a slider to look closely."""
    figure.frames = frames
    instant: dict[str, Any] = {"frame": {"duration": 0, "redraw": False}, "mode": "immediate"}
    play: dict[str, Any] = {"frame": {"duration": 120, "redraw": False}, "fromcurrent": True}
    steps = [
        {"method": "animate", "label": frame.name, "args": [[frame.name], instant]}
        for frame in frames
    ]
    press = {"label": "Play", "method": "animate", "args": [None, play]}
    # Both below the axis' own title.
    below: dict[str, Any] = {"x": 0, "y": 0, "xanchor": "left", "yanchor": "top"}
    button = {**below, "type": "buttons", "buttons": [press], "pad": {"t": 66}}
    slider = {**below, "x": 0.3, "len": 0.7, "steps": steps, "pad": {"t": 70}}
    slider["currentvalue"] = {"visible": False}
    figure.update_layout(updatemenus=[button], sliders=[slider], margin={"b": 160})
    return figure
