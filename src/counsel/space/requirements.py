"""Known constraints on inputs: expressions over parameters that every point must satisfy.

``Require("a + b + c == 100")``, ``Require("a <= 2 * b")``, ``Require("kind != 'wet' or t < 80")``.
Parsed once into a small tree of arithmetic, comparisons and logic, evaluated on whole columns; no
other Python is run, but for functions that were made known by `predicate`. A linear equation among
numbers is also known as such, so that points can be moved onto it: that is a mixture.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.metadata import entry_points
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from counsel.errors import InvalidInput
from counsel.space.checks import one_of

__all__ = ["Linear", "Require", "predicate"]

Column = NDArray[Any]
Predicate = TypeVar("Predicate", bound=Callable[..., Any])
# How far an equation may be off, in units of its largest part.
TOLERANCE = 1e-7

_ARITHMETIC: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
    ast.Mod: operator.mod,
}
_ORDER: dict[type, Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "abs": np.abs,
    "min": lambda *many: np.minimum.reduce(np.broadcast_arrays(*many)),
    "max": lambda *many: np.maximum.reduce(np.broadcast_arrays(*many)),
    "sqrt": np.sqrt,
    "log": np.log,
    "exp": np.exp,
    "round": np.round,
}
_OWN: dict[str, Callable[..., Any]] = {}  # what `predicate` has made known
_GROUP = "counsel.predicates"
_REMEDY = (
    "Write comparisons of sums, products and numbers, as in a + b == 100 or a <= 2 * b; join them "
    "with and, or, not."
)


def predicate(function: Predicate) -> Predicate:
    """Make a function known to requirements, by its name.

    It takes whole columns (arrays of n values; NaN where a parameter does not exist) and says where
    it holds: n times True or False. A study stores the name, so the function has to be known
    wherever the study is opened: registered before that, or listed by an installed package as an
    entry point of the group "counsel.predicates".

    Example:
        >>> from counsel.space import Float, Space, predicate
        >>> @predicate
        ... def dissolves(salt, t):
        ...     return salt < 30 + 0.1 * t
        >>> space = Space(salt=Float(0, 50), t=Float(0, 100), require="dissolves(salt, t)")
        >>> space.fits([[0.7, 0.9], [0.9, 0.7]]).tolist()
        [True, False]
    """
    name = getattr(function, "__name__", "")
    if not callable(function) or not name.isidentifier() or name in _FUNCTIONS:
        taken = ", ".join(_FUNCTIONS)
        raise InvalidInput("predicate", function, f"Give a function not called {taken}.")
    _OWN[name] = function
    return function


def _known(name: str) -> bool:
    """Whether requirements may call a function of this name."""
    if name in _FUNCTIONS or name in _OWN:
        return True
    found = next(iter(entry_points(group=_GROUP, name=name)), None)
    if found is not None:
        _OWN[name] = found.load()
    return found is not None


@dataclass(frozen=True, slots=True)
class Linear:
    """sum of weights[name] * value = total."""

    weights: Mapping[str, float]
    total: float


@dataclass(frozen=True)
class Require:
    """What must hold for the parameters of every trial, as an expression."""

    expression: str
    _tree: ast.expr = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        text = self.expression
        if not isinstance(text, str) or not text.strip() or len(text) > 2000:
            raise InvalidInput("require", text, _REMEDY)
        try:
            tree = ast.parse(text.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError):
            raise InvalidInput("require", text, _REMEDY) from None
        object.__setattr__(self, "expression", text.strip())
        object.__setattr__(self, "_tree", tree)
        _check(tree, text)

    @property
    def names(self) -> tuple[str, ...]:
        """The parameters that it is about, in order."""
        functions = {
            node.func.id
            for node in ast.walk(self._tree)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        names = [node.id for node in ast.walk(self._tree) if isinstance(node, ast.Name)]
        return tuple(dict.fromkeys(name for name in names if name not in functions))

    def holds(self, columns: Mapping[str, Column]) -> NDArray[np.bool_]:
        """Where it holds, given a column of values for each parameter; NaN stands for no value."""
        with np.errstate(all="ignore"):
            found = np.asarray(_value(self._tree, columns), dtype=bool)
        rows = len(next(iter(columns.values())))
        return np.broadcast_to(found, (rows,)).copy()

    def linear(self) -> Linear | None:
        """The linear equation that this is, if it is one."""
        tree = self._tree
        if not (isinstance(tree, ast.Compare) and [type(o) for o in tree.ops] == [ast.Eq]):
            return None
        left, right = _linear(tree.left), _linear(tree.comparators[0])
        if left is None or right is None:
            return None
        weights = {n: left[0].get(n, 0.0) - right[0].get(n, 0.0) for n in {**left[0], **right[0]}}
        weights = {name: weight for name, weight in weights.items() if weight}
        return Linear(weights, right[1] - left[1]) if weights else None


def _check(node: ast.AST, text: str) -> None:
    """Refuse anything but arithmetic, comparisons, logic and the few functions."""
    fine = (
        isinstance(node, ast.BoolOp | ast.Compare | ast.Tuple | ast.List)
        or (isinstance(node, ast.BinOp) and type(node.op) in _ARITHMETIC)
        or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub | ast.UAdd))
        or isinstance(node, ast.Name)
        or (isinstance(node, ast.Constant) and isinstance(node.value, bool | int | float | str))
        or (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and _known(node.func.id)
            and not node.keywords
        )
    )
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not fine:
        known = ", ".join((*_FUNCTIONS, *_OWN))
        raise InvalidInput(
            "require",
            text,
            f"{node.func.id} is not known here: use {known}, or make it known by "
            "counsel.space.predicate before the study is opened.",
        )
    if not fine:
        raise InvalidInput("require", text, _REMEDY)
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr) and not (isinstance(node, ast.Call) and child is node.func):
            _check(child, text)


def _value(node: ast.expr, columns: Mapping[str, Column]) -> Any:
    match node:
        case ast.BoolOp(op=op, values=values):
            parts = [np.asarray(_value(each, columns), dtype=bool) for each in values]
            together = np.logical_and if isinstance(op, ast.And) else np.logical_or
            return together.reduce(np.broadcast_arrays(*parts))
        case ast.Compare(left=left, ops=ops, comparators=rest):
            sides = [left, *rest]
            pairs = zip(ops, sides, sides[1:], strict=False)
            found = [_compared(op, a, b, columns) for op, a, b in pairs]
            return np.logical_and.reduce(np.broadcast_arrays(*found))
        case ast.BinOp(left=left, op=op, right=right):
            return _ARITHMETIC[type(op)](_value(left, columns), _value(right, columns))
        case ast.UnaryOp(op=op, operand=operand):
            inside = _value(operand, columns)
            if isinstance(op, ast.Not):
                return np.logical_not(np.asarray(inside, dtype=bool))
            return -inside if isinstance(op, ast.USub) else inside
        case ast.Call(func=ast.Name(id=name), args=arguments):
            given = [_value(each, columns) for each in arguments]
            return _FUNCTIONS[name](*given) if name in _FUNCTIONS else _said(name, given, columns)
        case ast.Name(id=name):
            if name not in columns:
                raise InvalidInput("require", name, one_of(name, tuple(columns)))
            return columns[name]
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return [_value(each, columns) for each in parts]
        case ast.Constant(value=value):
            return value
    raise AssertionError(node)  # _check has refused everything else


def _said(name: str, given: list[Any], columns: Mapping[str, Column]) -> Column:
    """What a function that somebody made known says of every row."""
    rows = len(next(iter(columns.values())))
    try:
        found = np.asarray(_OWN[name](*given), dtype=bool)
    except (TypeError, ValueError) as error:  # it takes single values, or other ones
        raise InvalidInput("require", name, f"It must take whole columns: {error}.") from None
    if found.shape != (rows,):
        remedy = f"It must return {rows} times True or False, one for each row."
        raise InvalidInput("require", name, remedy)
    return found


def _compared(op: ast.cmpop, left: ast.expr, right: ast.expr, columns: Mapping[str, Column]) -> Any:
    a, b = _value(left, columns), _value(right, columns)
    if isinstance(op, ast.In | ast.NotIn):
        among = np.logical_or.reduce([np.asarray(_equal(a, each)) for each in b])
        return among if isinstance(op, ast.In) else np.logical_not(among)
    if isinstance(op, ast.Eq):
        return _equal(a, b)
    if isinstance(op, ast.NotEq):
        return np.logical_not(_equal(a, b))
    if type(op) not in _ORDER:
        raise InvalidInput("require", ast.unparse(left), _REMEDY)
    slack = TOLERANCE * np.maximum(1.0, np.maximum(np.abs(a), np.abs(b)))
    # Rounding must not decide at the edge of what is allowed.
    if isinstance(op, ast.LtE):
        return a <= b + slack
    return a >= b - slack if isinstance(op, ast.GtE) else _ORDER[type(op)](a, b)


def _equal(a: Any, b: Any) -> Any:
    numbers = [np.asarray(each).dtype.kind in "fiu" for each in (a, b)]
    if all(numbers):
        size = np.maximum(1.0, np.maximum(np.abs(a), np.abs(b)))
        return np.abs(np.subtract(a, b)) <= TOLERANCE * size
    return np.asarray(a, dtype=object) == np.asarray(b, dtype=object)


def _linear(node: ast.expr) -> tuple[dict[str, float], float] | None:
    """Weights and a constant, if that is what the node is."""
    match node:
        case ast.Name(id=name):
            return {name: 1.0}, 0.0
        case ast.Constant(value=bool() | str()):
            return None
        case ast.Constant(value=int() | float() as number) if math.isfinite(number):
            return {}, float(number)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            inside = _linear(operand)
            return None if inside is None else _times(inside, -1.0)
        case ast.BinOp(left=left, op=op, right=right):
            a, b = _linear(left), _linear(right)
            if a is None or b is None:
                return None
            if isinstance(op, ast.Add | ast.Sub):
                b = _times(b, 1.0 if isinstance(op, ast.Add) else -1.0)
                weights = {n: a[0].get(n, 0.0) + b[0].get(n, 0.0) for n in {**a[0], **b[0]}}
                return weights, a[1] + b[1]
            if isinstance(op, ast.Mult) and (not a[0] or not b[0]):
                return _times(b, a[1]) if not a[0] else _times(a, b[1])
            if isinstance(op, ast.Div) and not b[0] and b[1]:
                return _times(a, 1.0 / b[1])
    return None


def _times(part: tuple[dict[str, float], float], factor: float) -> tuple[dict[str, float], float]:
    return {name: factor * weight for name, weight in part[0].items()}, factor * part[1]
