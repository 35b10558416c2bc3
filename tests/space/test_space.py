"""Spaces: the two crossings are inverse to each other, and bad input gets a sentence."""

import json
import math
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import counsel.space
from counsel.errors import InvalidInput
from counsel.space import AnySpace, Arms, Categorical, Float, Int, Parameter, Space, space_from_dict

# The same names, for calls that a type checker would refuse before Counsel does.
loose: Any = counsel.space

# ---- what to generate ---------------------------------------------------------------------------

units = st.floats(0, 1)
finite = st.floats(-1e9, 1e9)
choice = st.one_of(st.text(max_size=5), st.integers(-5, 5), finite)


@st.composite
def floats(draw: st.DrawFn) -> Float:
    if draw(st.booleans()):
        low = draw(st.floats(1e-12, 1e12))
        return Float(low, low * draw(st.floats(1.001, 1e12)), log=True)
    low, high = draw(finite), draw(finite)
    assume(low < high)
    return Float(low, high)


@st.composite
def ints(draw: st.DrawFn) -> Int:
    log = draw(st.booleans())
    low = draw(st.integers(1 if log else -(10**12), 10**12 - 1))
    return Int(low, draw(st.integers(low + 1, 10**12)), log=log)


categoricals = st.lists(choice, min_size=2, max_size=6, unique=True).map(Categorical)
parameters: st.SearchStrategy[Parameter] = st.one_of(floats(), ints(), categoricals)
names = st.text(min_size=1, max_size=8)


@st.composite
def spaces(draw: st.DrawFn) -> Space:
    chosen = draw(st.dictionaries(names.filter(lambda n: n != "context"), parameters, min_size=1))
    context = draw(st.dictionaries(names.filter(lambda n: n not in chosen), parameters))
    return Space(context=context, **chosen)


# Rows, not Arms: the runtime type checker picks list items at random, which strategies may not.
@st.composite
def tables(draw: st.DrawFn) -> list[tuple[Any, ...]]:
    columns = draw(
        st.lists(
            st.sampled_from(
                [
                    st.integers(-1000, 1000),
                    st.integers(-1000, 1000).map(lambda i: i / 8),
                    st.booleans(),
                    st.text(max_size=3),
                ]
            ),
            min_size=1,
            max_size=4,
        )
    )
    return draw(st.lists(st.tuples(*columns), min_size=1, max_size=20, unique=True))


def inside(parameter: Parameter) -> st.SearchStrategy[Any]:
    if isinstance(parameter, Float):
        return st.floats(parameter.low, parameter.high)
    if isinstance(parameter, Int):
        return st.integers(parameter.low, parameter.high)
    return st.sampled_from(parameter.choices)


def assert_same(parameter: Parameter, found: Any, value: Any) -> None:
    assert type(found) is type(value)
    if isinstance(parameter, Float):
        scale = abs(value) if parameter.log else max(abs(parameter.low), abs(parameter.high))
        assert abs(found - value) <= 1e-12 * scale
    else:
        assert found == value


def assert_unit(u: np.ndarray[Any, Any], width: int) -> None:
    assert u.shape == (width,)
    assert u.dtype == np.float64
    assert ((u >= 0) & (u <= 1)).all()


def assert_refused(call: Callable[[], object], *parts: str) -> None:
    """The call is refused with a sentence that has the field, the value and the remedy."""
    with pytest.raises(InvalidInput) as caught:
        call()
    message = str(caught.value)
    assert caught.value.field in message
    assert caught.value.remedy in message
    for part in parts:
        assert part in message


# ---- parameters ---------------------------------------------------------------------------------


@given(st.data(), parameters)
def test_parameter_round_trip(data: st.DataObject, parameter: Parameter) -> None:
    value = data.draw(inside(parameter))
    u = parameter.encode(value)
    assert_unit(u, parameter.width)
    assert_same(parameter, parameter.decode(u), value)


@given(st.data(), parameters)
def test_decoded_values_are_valid(data: st.DataObject, parameter: Parameter) -> None:
    u = np.array([data.draw(st.floats(-1, 2)) for _ in range(parameter.width)])
    value = parameter.decode(u)
    assert parameter.validate("x", value) == value


@given(parameters)
def test_ends_are_exact(parameter: Parameter) -> None:
    if isinstance(parameter, Categorical):
        assert [parameter.decode(row) for row in parameter.grid()] == list(parameter.choices)
        return
    assert parameter.encode(parameter.low) == [0.0]
    assert parameter.encode(parameter.high) == [1.0]
    assert parameter.decode([-7.0]) == pytest.approx(parameter.low, rel=1e-12)
    assert parameter.decode([7.0]) == pytest.approx(parameter.high, rel=1e-12)


def test_scales() -> None:
    assert Float(0, 50).encode(12.5) == [0.25]
    assert Float(1, 10_000, log=True).encode(100) == pytest.approx([0.5])
    assert Float(1, 10_000, log=True).decode([0.25]) == pytest.approx(10)
    assert Int(0, 4).encode(3) == [0.75]
    assert Int(0, 4).decode([0.6]) == 2
    assert Int(0, 4).decode([0.63]) == 3
    assert Int(1, 100, log=True).decode([0.5]) == 10
    assert Categorical(["a", "b", "c"]).encode("b").tolist() == [0, 1, 0]
    assert Categorical(["a", "b", "c"]).decode([0.2, 0.1, 0.7]) == "c"


@pytest.mark.parametrize(
    "parameter", [Int(-3, 9), Int(1, 10_000, log=True), Categorical(["a", "b"])]
)
def test_grid_has_every_value_once(parameter: Int | Categorical) -> None:
    grid = parameter.grid()
    assert grid.shape == (parameter.count, parameter.width)
    values = [parameter.decode(row) for row in grid]
    expected: Any = (
        range(parameter.low, parameter.high + 1)
        if isinstance(parameter, Int)
        else parameter.choices
    )
    assert values == list(expected)
    assert np.array_equal(grid, np.concatenate([[parameter.encode(v)] for v in values]))


def test_members() -> None:
    a, b, c = Float(0, 1), Int(0, 9), Categorical(("x", "y", "z"))
    assert [p.width for p in (a, b, c)] == [1, 1, 3]
    assert [p.discrete for p in (a, b, c)] == [False, True, True]
    assert [p.count for p in (a, b, c)] == [None, 10, 3]


def test_numpy_scalars_become_python_values() -> None:
    assert type(loose.Float(np.float32(0), np.int64(1)).low) is float
    assert type(loose.Int(np.int8(0), np.float64(4)).high) is int
    assert type(Float(0, 1).validate("x", np.float32(0.5))) is float
    assert type(Float(0, 1).validate("x", np.array(0.5))) is float
    assert type(Int(0, 9).validate("x", np.int64(3))) is int
    assert type(Int(0, 9).validate("x", 3.0)) is int
    assert type(Categorical(["a", "b"]).validate("x", np.str_("a"))) is str
    assert Categorical([True, False]).validate("x", np.bool_(True)) is True
    assert loose.Categorical(np.array(["a", "b"])).choices == ("a", "b")


def test_rounding_is_forgiven_and_clipped() -> None:
    assert Float(0, 50).validate("x", 50 + 1e-8) == 50
    assert Float(0, 50).validate("x", -1e-8) == 0
    assert Float(1e-6, 1, log=True).validate("x", 1e-6 * (1 - 1e-10)) == 1e-6
    assert_refused(
        lambda: Float(0, 50).validate("x", 50 + 1e-6), "x: got 50.000001", "0.0 and 50.0"
    )
    # Zero is far from 1e-12 on a log scale, however near on a linear one.
    assert_refused(lambda: Float(1e-12, 1, log=True).validate("x", 0.0), "x: got 0.0")


BAD_NUMBERS: list[Any] = [math.nan, math.inf, -math.inf, "3", None, True, [1], 1j, np.nan, 10**400]


@pytest.mark.parametrize("bad", BAD_NUMBERS, ids=lambda v: str(v)[:8])
@pytest.mark.parametrize("kind", [Float, Int])
def test_not_a_number(kind: type[Float] | type[Int], bad: Any) -> None:
    shown = repr(bad)[:8]
    assert_refused(lambda: kind(bad, 5), "low: got", shown, "Give a")
    assert_refused(lambda: kind(0, bad), "high: got", shown, "Give a")
    assert_refused(lambda: kind(1, 5).validate("dose", bad), "dose: got", shown, "between 1")
    assert_refused(lambda: kind(1, 5).encode(bad), "value: got", shown, "between 1")


@pytest.mark.parametrize(
    ("make", "parts"),
    [
        (lambda: Float(5, 5), ("low: got 5.0", "below high, which is 5.0")),
        (lambda: Float(6, 5), ("low: got 6.0", "below high")),
        (lambda: Int(6, 6), ("low: got 6", "below high, which is 6")),
        (lambda: Float(0, 1, log=True), ("low: got 0.0", "low > 0")),
        (lambda: Int(-1, 1, log=True), ("low: got -1", "low > 0")),
        (lambda: Float(-1.7e308, 1.7e308), ("high: got 1.7e+308", "rescale")),
        (lambda: Float(1e300, np.nextafter(1e300, 2e300), log=True), ("low: got 1e+300", "close")),
        (lambda: loose.Float(0, 1, log=1), ("log: got 1", "True or False")),
        (lambda: loose.Int(0, 2.5), ("high: got 2.5", "whole number")),
        (lambda: Int(0, 10**13), ("high: got 10000000000000", "use Float")),
        (lambda: Categorical("abc"), ("choices: got 'abc'", "list or tuple")),
        (lambda: loose.Categorical({"a", "b"}), ("choices: got {", "list or tuple")),
        (lambda: loose.Categorical(3), ("choices: got 3", "list or tuple")),
        (lambda: Categorical(["a"]), ("choices: got ('a',)", "at least two")),
        (lambda: Categorical([]), ("choices: got ()", "at least two")),
        (lambda: Categorical(["a", "b", "a"]), ("'a', 'b', 'a'", "every choice once")),
        (lambda: Categorical([True, 1]), ("(True, 1)", "every choice once")),
        (lambda: Categorical(["a", math.nan]), ("choices: got nan", "finite")),
        (lambda: loose.Categorical(["a", None]), ("choices: got None", "string")),
        (lambda: loose.Categorical([[1], [2]]), ("choices: got [1]", "string")),
        (lambda: Float(0, 1).grid(), ("grid: got Float", "no grid")),
        (lambda: Int(0, 10_000).grid(), ("grid: got Int", "at most 10000")),
    ],
)
def test_refused_parameters(make: Callable[[], object], parts: tuple[str, ...]) -> None:
    assert_refused(make, *parts)


@pytest.mark.parametrize(
    ("parameter", "bad", "parts"),
    [
        (Float(0, 50), 51, ("dose: got 51", "between 0.0 and 50.0")),
        (Float(0, 50), -1, ("dose: got -1", "between 0.0 and 50.0")),
        (Int(0, 50), 51, ("dose: got 51", "whole number between 0 and 50")),
        (Int(0, 50), 2.5, ("dose: got 2.5", "whole number between 0 and 50")),
        (
            Categorical(["red", "blue"]),
            "bleu",
            ("dose: got 'bleu'", "'red', 'blue'", "mean 'blue'?"),
        ),
        (Categorical(["red", "blue"]), None, ("dose: got None", "'red', 'blue'")),
        (Categorical(["red", "blue"]), np.zeros(2), ("dose: got array", "'red', 'blue'")),
        (Categorical([0, 1]), True, ("dose: got True", "0, 1")),
        (Categorical([True, False]), 1, ("dose: got 1", "True, False")),
    ],
)
def test_refused_values(parameter: Parameter, bad: object, parts: tuple[str, ...]) -> None:
    assert_refused(lambda: parameter.validate("dose", bad), *parts)


@pytest.mark.parametrize("u", [[0.1, 0.2], [math.nan], "a", None, [[0.1]], [None]])
def test_refused_points(u: object) -> None:
    for thing in (Float(0, 1), Int(0, 3), Space(x=Float(0, 1)), Arms([[0], [1]])):
        assert_refused(lambda thing=thing: thing.decode(u), "u: got", "1 numbers")  # type: ignore[misc]


# ---- Space --------------------------------------------------------------------------------------


@given(st.data(), spaces())
def test_space_round_trip(data: st.DataObject, space: Space) -> None:
    values = {name: data.draw(inside(p)) for name, p in space.parameters.items()}
    context = {name: data.draw(inside(p)) for name, p in space.context.items()}
    u = space.encode(dict(reversed(values.items())))  # the order of the caller does not matter
    assert_unit(u, space.dim)
    assert_unit(space.encode_context(context), space.context_dim)
    found = space.decode(u)
    assert list(found) == list(space.names)
    for name, parameter in space.parameters.items():
        assert_same(parameter, found[name], values[name])
    assert np.array_equal(space.encode_many([values, found])[0], u)


@given(spaces())
def test_layout(space: Space) -> None:
    every = {**space.parameters, **space.context}
    assert len(space.groups) == space.dim + space.context_dim
    joint = np.arange(len(space.groups))
    for number, (name, parameter) in enumerate(every.items()):
        columns = joint[space.columns(name)]
        assert len(columns) == parameter.width
        assert [space.groups[j] for j in columns] == [number] * parameter.width
    mask = space.discrete_columns
    assert mask.shape == (space.dim,)
    for name, parameter in space.parameters.items():
        assert (mask[space.columns(name)] == parameter.discrete).all()


@given(spaces(), tables())
def test_to_dict_and_pickle(box: Space, table: list[tuple[Any, ...]]) -> None:
    for space in (box, Arms(table), Arms(table, context=box.context)):
        assert_survives(space)


def assert_survives(space: AnySpace) -> None:
    copy = space_from_dict(json.loads(json.dumps(space.to_dict())))
    assert copy == space
    assert copy.to_dict() == space.to_dict()
    again = pickle.loads(pickle.dumps(space))
    assert again == space
    assert again.names == space.names
    assert again.groups == space.groups


def make_space() -> Space:
    return Space(
        lifting=Float(0, 50),
        steps=Int(1, 5),
        mode=Categorical(["soft", "hard"]),
        context={"load": Float(0, 10), "side": Categorical(["left", "right"])},
    )


def test_space_members() -> None:
    space = make_space()
    assert space.names == ("lifting", "steps", "mode")
    assert space.context_names == ("load", "side")
    assert (space.dim, space.context_dim) == (4, 3)
    assert space.groups == (0, 1, 2, 2, 3, 4, 4)
    assert space.columns("mode") == slice(2, 4)
    assert space.columns("side") == slice(5, 7)
    assert space.discrete_columns.tolist() == [False, True, True, True]
    assert not space.finite
    assert space.encode({"steps": 2, "mode": "hard", "lifting": 25}).tolist() == [0.5, 0.25, 0, 1]
    assert space.encode_context({"side": "left", "load": 2.5}).tolist() == [0.25, 1, 0]
    assert space.encode_many([]).shape == (0, 4)
    assert "lifting=Float(low=0.0" in repr(space)
    assert "context={'load'" in repr(space)


def test_a_space_cannot_be_changed() -> None:
    space = make_space()
    with pytest.raises(AttributeError):
        space.names = ("a",)  # type: ignore[misc]
    with pytest.raises(TypeError):
        space.parameters["lifting"] = Float(0, 1)  # type: ignore[index]
    with pytest.raises(TypeError):
        space.context["load"] = Float(0, 1)  # type: ignore[index]
    with pytest.raises(AttributeError):
        Float(0, 1).low = 3  # type: ignore[misc]


def test_space_equality_counts_order_and_context() -> None:
    a, b = Float(0, 1), Int(0, 1)
    assert Space(a=a, b=b) == Space(a=a, b=b)
    assert Space(a=a, b=b) != Space(b=b, a=a)
    assert Space(a=a) != Space(a=Float(0, 2))
    assert Space(a=a) != Space(a=a, context={"b": b})
    assert Space(a=a) != "space"
    assert Space(a=a, context={}) == Space(a=a)


def test_without_context() -> None:
    for space in (Space(x=Float(0, 1)), Arms([[1], [2]])):
        assert space.validate_context(None) == {}
        assert space.validate_context({}) == {}
        assert space.encode_context(None).shape == (0,)
        assert_refused(
            lambda space=space: space.validate_context({"load": 1}),  # type: ignore[misc]
            "context: got 'load'",
            "leave them out",
        )


def test_a_parameter_may_be_called_self() -> None:
    assert Space(self=Float(0, 1)).names == ("self",)


GOOD: dict[Any, Any] = {"lifting": 1, "steps": 2, "mode": "soft"}


@pytest.mark.parametrize(
    ("values", "parts"),
    [
        ({**GOOD, "lifing": 3}, ("parameters: got 'lifing'", "Unknown", "Did you mean 'lifting'?")),
        ({**GOOD, 7: 3}, ("parameters: got 7", "Unknown", "'lifting', 'steps', 'mode'")),
        ({**GOOD, "p": 3, "q": 4}, ("parameters: got ['p', 'q']", "Unknown")),
        (
            {"lifing": 1, "steps": 2, "mode": "soft"},
            ("parameters: got 'lifing'", "Missing: lifting", "Did you mean 'lifting'?"),
        ),
        ({"steps": 2}, ("{'steps': 2}", "Missing: lifting, mode", "lifting, steps, mode")),
        ([1, 2, "soft"], ("parameters: got [1, 2, 'soft']", "lifting, steps, mode")),
        (None, ("parameters: got None", "lifting, steps, mode")),
        ({**GOOD, "lifting": 51}, ("lifting: got 51", "between 0.0 and 50.0")),
        ({**GOOD, "lifting": math.nan}, ("lifting: got nan", "finite")),
        ({**GOOD, "mode": "sotf"}, ("mode: got 'sotf'", "Did you mean 'soft'?")),
    ],
)
def test_refused_by_space(values: Any, parts: tuple[str, ...]) -> None:
    space = make_space()
    assert_refused(lambda: space.validate(values), *parts)
    assert_refused(lambda: space.encode(values), *parts)
    assert_refused(lambda: space.encode_many([GOOD, values]), *parts)


@pytest.mark.parametrize(
    ("context", "parts"),
    [
        (None, ("context: got None", "load, side")),
        ({"load": 1}, ("context: got {'load': 1}", "Missing: side")),
        ({"load": 1, "sid": "left"}, ("context: got 'sid'", "Did you mean 'side'?")),
        ({"load": 11, "side": "left"}, ("load: got 11", "between 0.0 and 10.0")),
        ([1, "left"], ("context: got [1, 'left']", "load, side")),
    ],
)
def test_refused_contexts(context: Any, parts: tuple[str, ...]) -> None:
    space = make_space()
    assert_refused(lambda: space.validate_context(context), *parts)
    assert_refused(lambda: space.encode_context(context), *parts)
    assert_refused(lambda: Arms([[1]], context=space.context).validate_context(context), *parts)


@pytest.mark.parametrize(
    ("make", "parts"),
    [
        (lambda: Space(), ("parameters: got {}", "at least one")),
        (lambda: loose.Space(x=3), ("x: got 3", "Float, an Int or a Categorical")),
        (lambda: loose.Space(x=Float), ("x: got <class", "Float, an Int or a Categorical")),
        (lambda: loose.Space(**{"": Float(0, 1)}), ("parameters: got ''", "non-empty")),
        (lambda: loose.Space(x=Float(0, 1), context=[3]), ("context: got [3]", "mapping")),
        (lambda: loose.Space(x=Float(0, 1), context={"y": 3}), ("y: got 3", "Float, an Int")),
        (lambda: loose.Space(x=Float(0, 1), context={3: Int(0, 1)}), ("context: got 3", "text")),
        (lambda: Space(x=Float(0, 1), context={"x": Int(0, 1)}), ("context: got ['x']", "rename")),
        (lambda: Arms([[1]], context={"x1": Int(0, 1)}), ("context: got ['x1']", "rename")),
        (lambda: Space(dose=Float(0, 1)).columns("dos"), ("name: got 'dos'", "mean 'dose'?")),
    ],
)
def test_refused_spaces(make: Callable[[], object], parts: tuple[str, ...]) -> None:
    assert_refused(make, *parts)


X = {"name": "x", "type": "float", "low": 0, "high": 1}


@pytest.mark.parametrize(
    ("description", "parts"),
    [
        (3, ("space: got 3", "'space' or 'arms'")),
        ({"type": "cube"}, ("cube", "'space' or 'arms'")),
        ({"type": "space"}, ("parameters: got None", "list of mappings")),
        ({"type": "space", "parameters": [3]}, ("parameters: got [3]", "list of mappings")),
        ({"type": "space", "parameters": [X, X]}, ("parameters.name: got 'x'", "of its own")),
        ({"type": "space", "parameters": [{**X, "name": 3}]}, ("parameters.name: got 3", "name")),
        ({"type": "space", "parameters": [{**X, "type": "flot"}]}, ("x.type: got 'flot'", "float")),
        (
            {"type": "space", "parameters": [{**X, "stride": 1}]},
            ("x: got 'stride'", "'high', 'log'"),
        ),
        ({"type": "space", "parameters": [{**X, "low": 2}]}, ("x.low: got 2.0", "below high")),
        ({"type": "space", "parameters": [{**X, "name": "context"}]}, ("context", "reserved")),
        ({"type": "space", "parameters": [X], "context": [X]}, ("context: got ['x']", "rename")),
        ({"type": "arms"}, ("data: got None", "list of dicts")),
        ({"type": "arms", "arms": [[1], [1, 2]]}, ("row 1: got [1, 2]", "Give 1 values")),
        ({"type": "arms", "arms": [[1]], "names": 3}, ("names: got 3", "list of names")),
    ],
)
def test_refused_descriptions(description: object, parts: tuple[str, ...]) -> None:
    assert_refused(lambda: space_from_dict(description), *parts)


# ---- Arms ---------------------------------------------------------------------------------------


@given(st.data(), tables())
def test_arms_round_trip(data: st.DataObject, table: list[tuple[Any, ...]]) -> None:
    assert_arms_round_trip(data, table)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("counsel.space.arms._DICT_LIMIT", 0)  # the other way to look up
        assert_arms_round_trip(data, table)


def assert_arms_round_trip(data: st.DataObject, table: list[tuple[Any, ...]]) -> None:
    arms = Arms(table)
    assert [tuple(arm.values()) for arm in arms] == table
    assert ((arms.points >= 0) & (arms.points <= 1)).all()
    row = data.draw(st.integers(0, len(arms) - 1))
    arm = arms[row]
    assert arms.index(arm) == row
    assert arms.validate(arm) == arm
    u = arms.encode(arm)
    assert_unit(u, arms.dim)
    assert np.array_equal(u, arms.points[row])
    assert np.array_equal(arms.encode_many([arm, arm]), arms.points[[row, row]])
    found = arms.decode(u)
    assert found == arm
    assert [type(v) for v in found.values()] == [type(v) for v in arm.values()]


def test_the_same_arms_from_every_source() -> None:
    rows = [[1, 0.5, "a"], [2, 0.25, "b"], [3, 0.5, "a"]]
    named = [dict(zip("xyz", row, strict=True)) for row in rows]
    sources = [
        Arms(rows, names=["x", "y", "z"]),
        Arms((tuple(row) for row in rows), names=("x", "y", "z")),
        Arms(named),
        Arms([dict(reversed(d.items())) if i else d for i, d in enumerate(named)]),
        Arms(pd.DataFrame(named)),
        Arms(pd.DataFrame(named).astype({"z": "category", "x": "Int64"})),
        Arms(pd.DataFrame(named)[["z", "y", "x"]], names=["x", "y", "z"]),
        Arms(np.array(rows, dtype=object), names=["x", "y", "z"]),
    ]
    for arms in sources:
        assert arms == sources[0]
        assert list(arms) == named
        assert [type(v) for v in arms[0].values()] == [int, float, str]
    assert sources[0].points.tolist() == [[0, 1, 1, 0], [0.5, 0, 0, 1], [1, 1, 1, 0]]
    assert sources[0].groups == (0, 1, 2, 2)


def test_arms_members() -> None:
    arms = Arms(np.array([[0, 10], [5, 20], [10, 10]]), context={"load": Float(0, 10)})
    assert arms.names == ("x1", "x2")
    assert arms.context_names == ("load",)
    assert (arms.dim, arms.context_dim, len(arms)) == (2, 1, 3)
    assert arms.groups == (0, 1, 2)
    assert arms.columns("load") == slice(2, 3)
    assert arms.finite
    assert arms[-1] == {"x1": 10, "x2": 10}
    assert arms.points.tolist() == [[0, 0], [0.5, 1], [1, 0]]
    assert arms.points is arms.points
    assert arms.decode([0.6, 0.7]) == {"x1": 5, "x2": 20}
    assert arms.encode_context({"load": 5}).tolist() == [0.5]
    assert arms.encode_many([]).shape == (0, 2)
    assert repr(arms) == "Arms(3 arms: x1, x2)"
    with pytest.raises(IndexError):
        arms[3]


def test_names_select_columns_of_dicts_and_frames() -> None:
    rows = [{"x": 1, "y": 2, "result": 0.1}, {"x": 2, "y": 2, "result": 0.1}]
    assert Arms(rows, names=["y", "x"]).names == ("y", "x")
    assert Arms(pd.DataFrame(rows), names=["x"]) == Arms([[1], [2]], names=["x"])
    assert Arms([{"x": 1}, {"x": 2, "note": "odd"}], names=["x"]) == Arms([[1], [2]], names=["x"])


@pytest.mark.parametrize(
    ("value", "encoded", "other"),
    [(3, 0, 4), (-2.5, 0, -2), (0, 0, 1e-6), ("only", 1, "one"), (True, 1, False)],
)
def test_one_arm_and_constant_columns(value: Any, encoded: float, other: Any) -> None:
    arms = Arms([[value]], names=["x"])
    assert len(arms) == 1
    assert arms.points.tolist() == [[encoded]]
    assert arms.decode([0.7]) == arms.validate({"x": value}) == {"x": value}
    assert_refused(lambda: arms.validate({"x": other}), repr(other), repr(value))


def test_arms_do_not_follow_the_array_they_came_from() -> None:
    for data in (np.array([[0.0], [1.0]]), np.array([[0], [1]])):
        arms = Arms(data)
        data[0] = 7
        assert arms[0] == {"x1": 0}
        for copy in (arms, pickle.loads(pickle.dumps(arms))):
            with pytest.raises(ValueError, match="read-only"):
                copy.points[0, 0] = 3
        encoded = arms.encode({"x1": 0})
        encoded[0] = 3  # a copy: the caller may write to it
        assert arms.points[0, 0] == 0


def test_arms_equality() -> None:
    arms = Arms([[1, "a"], [2, "b"]])
    assert arms == Arms([[1.0, "a"], [2.0, "b"]])
    assert arms != Arms([[2, "b"], [1, "a"]])
    assert arms != Arms([[1, "a"], [2, "c"]])
    assert arms != Arms([[1, "a"], [2, "b"]], names=["p", "q"])
    assert arms != Arms([[1, "a"], [2, "b"]], context={"load": Float(0, 1)})
    assert arms != Arms([[1, "a"]])
    assert arms != "arms"


def test_a_value_typed_by_hand_finds_its_arm() -> None:
    arms = Arms(np.linspace(0, 1, 11).reshape(-1, 1))
    assert arms.validate({"x1": 0.3}) == {"x1": 0.1 * 3}
    assert 0.3 != 0.1 * 3
    assert arms.index({"x1": np.float64(1)}) == 10
    assert arms.index({"x1": -0.0}) == 0
    assert Arms([[-0.0], [1.0]]).index({"x1": 0}) == 0


@pytest.mark.parametrize(
    ("values", "parts"),
    [
        ({"x": 2.4, "k": "a"}, ("values: got {'k': 'a', 'x': 2.4}", "nearest: {'x': 2, 'k': 'a'}")),
        ({"x": 1, "k": "b"}, ("values: got", "nearest: {'x': 2, 'k': 'b'}", "3 arms")),
        ({"x": 1e300, "k": "b"}, ("values: got", "1e+300", "nearest")),
        ({"x": math.nan, "k": "a"}, ("x: got nan", "finite")),
        ({"x": "1", "k": "a"}, ("x: got '1'", "finite number")),
        ({"x": True, "k": "a"}, ("x: got True", "finite number")),
        ({"x": 1, "k": "c"}, ("k: got 'c'", "'a', 'b'")),
        ({"x": 1}, ("coordinates: got {'x': 1}", "Missing: k", "x, k")),
        ({"x": 1, "k": "a", "kk": 3}, ("coordinates: got 'kk'", "'x', 'k'")),
        (1, ("coordinates: got 1", "x, k")),
    ],
)
@pytest.mark.parametrize("limit", [0, 100])
def test_refused_by_arms(
    monkeypatch: pytest.MonkeyPatch, limit: int, values: Any, parts: tuple[str, ...]
) -> None:
    monkeypatch.setattr("counsel.space.arms._DICT_LIMIT", limit)  # both ways to look up
    arms = Arms([{"x": 1, "k": "a"}, {"x": 2, "k": "a"}, {"x": 2, "k": "b"}])
    assert_refused(lambda: arms.validate(values), *parts)
    assert_refused(lambda: arms.encode(values), *parts)
    assert_refused(lambda: arms.index(values), *parts)


NAN, INF = math.nan, math.inf


@pytest.mark.parametrize(
    ("make", "parts"),
    [
        (lambda: Arms([]), ("data: got []", "at least one arm")),
        (lambda: Arms(np.zeros((0, 2))), ("data: got array", "at least one arm")),
        (lambda: Arms(np.zeros((2, 0))), ("data: got array", "at least one coordinate")),
        (lambda: Arms([[], []]), ("data: got [[], []]", "at least one coordinate")),
        (lambda: Arms([{}]), ("data: got [{}]", "at least one coordinate")),
        (lambda: Arms(pd.DataFrame()), ("data: got", "at least one arm")),
        (lambda: Arms(pd.DataFrame({"x": []})), ("data: got", "at least one arm")),
        (lambda: Arms(3), ("data: got 3", "list of dicts")),
        (lambda: Arms("abc"), ("data: got 'abc'", "list of dicts")),
        (lambda: Arms({"x": [1, 2]}), ("data: got {'x': [1, 2]}", "list of dicts")),
        (lambda: Arms(np.arange(3)), ("data: got array([0, 1, 2])", "2-D")),
        (lambda: Arms([1, 2]), ("row 0: got 1", "rows of equal length")),
        (lambda: Arms(["ab", "cd"]), ("row 0: got 'ab'", "rows of equal length")),
        (lambda: Arms(np.array([[0, 1], [2, NAN]])), ("row 1, column 'x2': got nan", "finite")),
        (lambda: Arms([[0, 1], [INF, 1]]), ("row 1, column 'x1': got inf", "finite")),
        (lambda: Arms([{"x": "a"}, {"x": NAN}]), ("row 1, column 'x': got nan", "finite")),
        (lambda: Arms([{"x": 1}, {"x": None}]), ("row 1, column 'x': got None", "finite")),
        (
            lambda: Arms(pd.DataFrame({"x": pd.array([1, None], dtype="Int64")})),
            ("row 1, column 'x': got", "finite"),
        ),
        (
            lambda: Arms(np.ma.masked_array([[1], [2]], mask=[[False], [True]])),
            ("data: got masked_array", "masked"),
        ),
        (lambda: Arms(np.array([["2020-01-01"]], "M8[ns]")), ("column 'x1'", "M8[ns]", "Convert")),
        (lambda: Arms(np.array([[1j]])), ("column 'x1'", "complex128", "Convert")),
        (lambda: Arms([[True], [2]]), ("column 'x1': got [True, 2]", "mixes")),
        (lambda: Arms([[1, 2], [3, 4], [1, 2]]), ("rows 0 and 2: got {'x1': 1, 'x2': 2}", "once")),
        (lambda: Arms([["a"], ["b"], ["b"]]), ("rows 1 and 2: got {'x1': 'b'}", "once")),
        (lambda: Arms(np.array([[0.0], [-0.0]])), ("rows 0 and 1: got {'x1': 0.0}", "once")),
        (lambda: Arms([[1, 2], [3]]), ("row 1: got [3]", "Give 2 values")),
        (lambda: Arms([{"x": 1}, {"y": 1}]), ("row 1: got 'y'", "Missing: x")),
        (lambda: Arms([{"x": 1}, {"x": 1, "y": 1}]), ("row 1: got 'y'", "Unknown")),
        (lambda: Arms([{"x": 1, "y": 1}, {"x": 2}]), ("row 1: got {'x': 2}", "Missing: y")),
        (lambda: Arms([{"x": 1}, {"y": 2}], names=["x"]), ("row 1: got {}", "Missing: x")),
        (lambda: Arms([{"x": 1}, [2]]), ("row 1: got [2]", "as a dict")),
        (lambda: Arms([[2], {"x": 1}]), ("row 1: got {'x': 1}", "list of dicts")),
        (lambda: Arms([[1, 2]], names=["x"]), ("names: got ['x']", "Give 2 names")),
        (lambda: Arms(np.ones((1, 2)), names=list("xyz")), ("['x', 'y', 'z']", "Give 2 names")),
        (lambda: Arms([[1, 2]], names=["x", "x"]), ("names: got 'x'", "once")),
        (lambda: Arms([[1, 2]], names="xy"), ("names: got 'xy'", "list of names")),
        (lambda: loose.Arms([[1, 2]], names=["x", 3]), ("names: got 3", "non-empty string")),
        (lambda: Arms([[1, 2]], names=["x", ""]), ("names: got ''", "non-empty string")),
        (lambda: Arms([{"dose": 1}], names=["dos"]), ("names: got 'dos'", "mean 'dose'?")),
        (
            lambda: Arms(pd.DataFrame([[1, 2]], columns=["x", "x"])),
            ("names: got 'x'", "once"),
        ),
        (lambda: Arms([[2**53 + 1], [1]]), ("column 'x1': got 9007199254740993", "rescale")),
        (lambda: Arms(np.array([[2**60], [1]])), ("column 'x1'", str(2**60), "rescale")),
        (lambda: Arms([[-1.7e308], [1.7e308]]), ("column 'x1': got 1.7e+308", "rescale")),
        (
            lambda: Arms([[str(i), i] for i in range(20_000)]),
            ("column 'x1': got '20000 arms x 20001", "20000 labels"),
        ),
    ],
)
def test_refused_arms(make: Callable[[], object], parts: tuple[str, ...]) -> None:
    assert_refused(make, *parts)


def test_duplicates_are_found_wherever_they_are() -> None:
    rng = np.random.default_rng(0)
    for _ in range(20):
        data = rng.permutation(2000).reshape(-1, 1) * np.array([[1.0, -3.0]])
        first, second = sorted(rng.choice(2000, 2, replace=False).tolist())
        Arms(data)
        data[second] = data[first]
        assert_refused(lambda data=data: Arms(data), f"rows {first} and {second}:")  # type: ignore[misc]


def test_equal_hashes_do_not_mix_up_arms(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "counsel.space.arms._hash_rows", lambda columns: np.zeros(len(columns[0]), np.uint64)
    )
    monkeypatch.setattr("counsel.space.arms._DICT_LIMIT", 0)
    arms = Arms([[i, str(i)] for i in range(30)])
    assert [arms.index(arm) for arm in arms] == list(range(30))
    assert_refused(lambda: Arms([[1, "a"], [1, "b"], [1, "b"]]), "rows 1 and 2")


def test_a_million_arms(monkeypatch: pytest.MonkeyPatch) -> None:
    data = np.random.default_rng(0).random((1_000_000, 2))
    arms = Arms(data)
    row = 765_432
    assert arms.index({"x1": data[row, 0], "x2": data[row, 1]}) == row
    assert arms.decode(arms.points[row]) == arms[row]
    # Looked up, not searched: a scan of all arms would go through `_nearest`.
    monkeypatch.setattr(Arms, "_nearest", None)
    for i in range(0, 1_000_000, 10_000):
        assert arms.index(arms[i]) == i
    monkeypatch.undo()
    data[999_999] = data[3]
    assert_refused(lambda: Arms(data), "rows 3 and 999999")


def test_importing_spaces_imports_neither_jax_nor_pandas() -> None:
    code = "import sys, counsel.space; print({'jax', 'pandas', 'scipy'} & set(sys.modules))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "set()"


@pytest.mark.parametrize("broken", ["\ud800", "a\udfff"])
def test_half_a_surrogate_pair_is_no_label(broken: str) -> None:
    with pytest.raises(InvalidInput, match="string"):
        Categorical(["a", broken])
    with pytest.raises(InvalidInput, match="string"):
        Arms([{"kind": "a"}, {"kind": broken}])


@pytest.mark.parametrize("heats", [["30,0", "40,5"], ["30,0", "40"], ["1,234", "2,500,000"]])
def test_arms_do_not_take_decimal_commas_for_labels(heats: list[str]) -> None:
    table = pd.DataFrame({"solvent": ["water", "THF"], "heat": heats})
    with pytest.raises(InvalidInput, match=r"heat.*read the file with decimal=','"):
        Arms(table)
    with pytest.raises(InvalidInput, match=r"heat.*give numbers, with a decimal point"):
        Arms(table.to_dict("records"))
    assert Arms(table.assign(heat=["30,0 C", "40,5 C"])).labels("heat") is not None


def test_stored_arms_keep_labels_that_look_like_numbers() -> None:
    stored = Arms([["30,0"], ["40,5"]], names=["heat"])
    assert space_from_dict(stored.to_dict()) == stored
