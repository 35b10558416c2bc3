"""Spaces as instruments have them: steps, mixtures, conditions, orders, properties, labels."""

import pickle
from typing import Any

import numpy as np
import pytest

import counsel as cs
from counsel.space import predicate, space_from_dict
from counsel.space.decoding import summed

MIXTURE = cs.Space(
    a=cs.Float(0, 100),
    b=cs.Float(10, 60),
    c=cs.Float(0, 100, step=5),
    require=["a + b + c == 100", "a <= 2 * b"],
)
CONDITIONAL = cs.Space(
    solvent=cs.Categorical(["DMF", "THF", "water"]),
    base=cs.Float(1, 5, when={"solvent": ["DMF", "THF"]}),
    t=cs.Int(20, 100, step=10),
)
DESCRIBED = cs.Space(
    size=cs.Categorical(["small", "medium", "large"], ordered=True),
    metal=cs.Categorical(
        ["Pd", "Ni", "Cu"], descriptors={"radius": [1.69, 1.49, 1.45], "row": [5, 4, 4]}
    ),
    dose=cs.Float(0, 1, step=0.1),
)
SPACES = {"mixture": MIXTURE, "conditional": CONDITIONAL, "described": DESCRIBED}


@pytest.mark.parametrize("name", SPACES)
def test_there_and_back(name: str) -> None:
    space = SPACES[name]
    points = space.sample(200, np.random.default_rng(1))
    rows = [space.decode(point) for point in points]
    assert np.allclose(space.encode_many(rows), points, atol=1e-12)
    assert space.fits(points).all()
    assert space_from_dict(space.to_dict()) == space
    assert pickle.loads(pickle.dumps(space)) == space


def test_a_mixture_is_met_to_the_last_digit() -> None:
    for point in MIXTURE.sample(500, np.random.default_rng(2)):
        values = MIXTURE.decode(point)
        assert abs(sum(values.values()) - 100) < 1e-9
        assert values["a"] <= 2 * values["b"] + 1e-6
        assert values["c"] % 5 == 0
    with pytest.raises(cs.InvalidInput, match="a \\+ b \\+ c == 100"):
        MIXTURE.validate({"a": 10, "b": 20, "c": 30})


def test_a_parameter_exists_only_under_its_condition() -> None:
    assert CONDITIONAL.validate({"solvent": "water", "t": 20}) == {"solvent": "water", "t": 20}
    assert CONDITIONAL.validate({"solvent": "water", "base": 2, "t": 20}) == {
        "solvent": "water",
        "t": 20,
    }
    with pytest.raises(cs.InvalidInput, match="base"):
        CONDITIONAL.validate({"solvent": "DMF", "t": 20})
    drawn = [CONDITIONAL.decode(p) for p in CONDITIONAL.sample(100, np.random.default_rng(0))]
    assert all(("base" in row) == (row["solvent"] != "water") for row in drawn)


def test_steps_are_proposed_and_anything_between_may_be_told() -> None:
    dose = DESCRIBED.parameters["dose"]
    assert [dose.decode(u) for u in (0.0, 0.26, 0.34, 1.0)] == [0.0, 0.3, 0.3, 1.0]
    assert dose.validate("dose", 0.123) == 0.123
    assert dose.count == 11
    assert cs.Int(0, 23, step=5).grid().ravel() * 23 == pytest.approx([0, 5, 10, 15, 20])


def test_orders_and_properties_say_what_is_near() -> None:
    size, metal = DESCRIBED.parameters["size"], DESCRIBED.parameters["metal"]
    assert size.encode("medium").tolist() == [0.5]
    nickel, copper, palladium = (metal.encode(each) for each in ("Ni", "Cu", "Pd"))
    assert np.linalg.norm(nickel - copper) < np.linalg.norm(nickel - palladium)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: cs.Float(0, 1, step=0), "step"),
        (lambda: cs.Float(0, 1, step=2), "at most 1"),
        (lambda: cs.Float(1, 10, log=True, step=1), "plain scale"),
        (lambda: cs.Int(0, 10, step=0.5), "whole"),
        (lambda: cs.Categorical(["a", "b"], descriptors={"x": [1]}), "2 numbers"),
        (lambda: cs.Categorical(["a", "b"], descriptors={"x": [1, 1]}), "not all alike"),
        (lambda: cs.Categorical(["a", "b"], ordered=True, descriptors={"x": [1, 2]}), "order"),
        (lambda: cs.Require("import os"), "comparisons"),
        (lambda: cs.Require("__import__('os').system('ls')"), "comparisons"),
        (lambda: cs.Require("a if b else c"), "comparisons"),
        (lambda: cs.Require("a.b == 1"), "comparisons"),
        (lambda: cs.Space(x=cs.Float(0, 1), require="y < 1"), "Use one of: 'x'"),
        (lambda: cs.Space(x=cs.Float(0, 1), require="x > 2"), "Hardly any"),
        (lambda: cs.Space(x=cs.Float(0, 1, when={"y": 1})), "when"),
        (
            lambda: cs.Space(k=cs.Categorical(["a", "b"]), x=cs.Float(0, 1, when={"k": "z"})),
            "Use one of",
        ),
        (lambda: cs.Constraint("pH"), "at_least, at_most, or both"),
        (lambda: cs.Constraint("pH", at_least=8, at_most=6), "below"),
        (lambda: cs.Arms([{"c": 0.0, "n": "x"}, {"c": 1.0, "n": "y"}], log=["c"]), "above 0"),
        (lambda: cs.Arms([{"c": 0.0, "n": "x"}, {"c": 1.0, "n": "x"}], label="n"), "its own"),
    ],
)
def test_what_makes_no_sense_is_refused(make: Any, message: str) -> None:
    with pytest.raises(cs.InvalidInput, match=message):
        make()


def test_a_constraint_with_two_sides() -> None:
    mild = cs.Constraint("pH", at_least=6, at_most=8)
    assert [mild.margin(value) for value in (5.0, 6.5, 8.5)] == [-1.0, 0.5, -0.5]
    assert mild.words() == "pH from 6 to 8"


def test_columns_of_arms_on_a_log_scale_and_a_label() -> None:
    rows = [{"id": f"C{i}", "conc": 10.0**-i, "kind": "x" if i % 2 else "y"} for i in range(5)]
    arms = cs.Arms(rows, log=["conc"], label="id", once=True)
    assert arms.names == ("conc", "kind")
    assert arms.dim == 3
    assert arms.points[:, 0] == pytest.approx([1.0, 0.75, 0.5, 0.25, 0.0])
    assert arms[2] == {"id": "C2", "conc": 0.01, "kind": "y"}
    assert arms.validate({"id": "C3"}) == arms[3]
    assert arms.index({"conc": 0.001, "kind": "x"}) == 3
    with pytest.raises(cs.InvalidInput, match="C3 is"):
        arms.index({"id": "C3", "conc": 1.0, "kind": "x"})
    assert space_from_dict(arms.to_dict()) == arms
    assert pickle.loads(pickle.dumps(arms)) == arms


def test_the_json_form_of_a_plain_space_is_what_it_was() -> None:
    plain = cs.Space(x=cs.Float(0, 1), n=cs.Int(1, 5), k=cs.Categorical(["a", "b"]))
    assert plain.to_dict() == {
        "type": "space",
        "parameters": [
            {"name": "x", "type": "float", "low": 0.0, "high": 1.0, "log": False},
            {"name": "n", "type": "int", "low": 1, "high": 5, "log": False},
            {"name": "k", "type": "categorical", "choices": ["a", "b"]},
        ],
        "context": [],
    }


def test_a_parameter_may_still_be_called_require() -> None:
    space = cs.Space(require=cs.Float(0, 1))
    assert space.names == ("require",)
    assert space_from_dict(space.to_dict()) == space


def test_a_function_of_whole_columns_may_be_required() -> None:
    @predicate
    def mixes(solvent: Any, t: Any) -> Any:
        return (solvent != "water") | (t < 60)

    space = cs.Space(
        solvent=cs.Categorical(["DMF", "water"]),
        t=cs.Float(20, 100),
        require=["mixes(solvent, t) and t > 30"],
    )
    points = space.sample(200, np.random.default_rng(0))
    rows = [space.decode(point) for point in points]
    assert all(row["t"] > 30 and (row["solvent"] == "DMF" or row["t"] < 60) for row in rows)
    assert {row["solvent"] for row in rows} == {"DMF", "water"}
    assert space_from_dict(space.to_dict()) == space
    with pytest.raises(cs.InvalidInput, match=r"mixes\(solvent, t\)"):
        space.validate({"solvent": "water", "t": 80})


def test_a_function_that_is_not_one_of_columns_is_refused() -> None:
    @predicate
    def single(t: Any) -> Any:
        return bool(t > 0.5)

    @predicate
    def short(t: Any) -> Any:
        return t[:1] > 0.5

    for name in ("single", "short"):
        with pytest.raises(cs.InvalidInput, match=f"require: got '{name}'"):
            cs.Space(t=cs.Float(0, 1), require=f"{name}(t)")
    with pytest.raises(cs.InvalidInput, match="mixed is not known here"):
        cs.Space(t=cs.Float(0, 1), require="mixed(t)")
    with pytest.raises(cs.InvalidInput, match="not called abs"):
        predicate(abs)


MANY = [
    cs.Space(k=cs.Int(0, 40, step=3), x=cs.Float(-1, 2, step=0.3), n=cs.Int(1, 1000, log=True)),
    cs.Space(
        a=cs.Float(0, 100),
        b=cs.Float(0, 60, step=0.7),
        c=cs.Int(0, 50),
        d=cs.Float(1, 9),
        s=cs.Categorical(["u", "v", "w"], descriptors={"p": [1.0, 2.5, 2.0], "q": [0, 3, 1]}),
        require=["a + 2 * b + c == 100", "a - d == 20.3", "s != 'u' or c < 30"],
    ),
    cs.Space(
        s=cs.Categorical(["u", "v", "w"]),
        k=cs.Int(1, 4),
        level=cs.Categorical(["low", "high"], ordered=True, when={"s": ["u", "w"]}),
        x=cs.Float(1e-3, 10, log=True, when={"k": [2, 3], "s": "u"}),
        require=["level == 'low' or k > 1", "x < 5"],
    ),
]


@pytest.mark.parametrize("space", MANY)
def test_many_points_are_decoded_as_one_is(space: cs.Space) -> None:
    """To the last bit: the search moves thousands at once, and studies replay."""
    points = np.random.default_rng(4).uniform(size=(400, space.dim))
    points[:9] = np.round(points[:9])  # corners
    again = space._encoded([space.decode(row) for row in points])
    assert np.array_equal(space._encoded_again(points), again)
    if not space.require:
        assert np.array_equal(space.snap(points), again)

    def allowed(values: dict[str, Any]) -> bool:
        try:
            space.validate(values)
        except cs.InvalidInput:
            return False
        return True

    assert space.fits(points).tolist() == [allowed(space.decode(row)) for row in points]


def test_columns_are_summed_as_python_sums_each_row() -> None:
    rng = np.random.default_rng(5)
    parts = [10.0 ** rng.uniform(-9, 9, 500) * rng.choice([-1, 1], 500) for _ in range(6)]
    parts[3] = -parts[2]
    assert summed(parts).tolist() == [sum(row) for row in zip(*parts, strict=True)]
    assert summed(parts[:1]).tolist() == parts[0].tolist()
