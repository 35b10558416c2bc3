"""Puts an attribution into one or two sentences that claim no more than its numbers.

Only contributions that stand out are mentioned: at least a quarter of the largest, and more than
twice their standard error. "Mainly" means at least half of all that speaks for the point.
"""

from typing import TYPE_CHECKING

import numpy as np

from counsel.facts.terms import term

if TYPE_CHECKING:
    from counsel.explain.attribution import Attribution

_SHARE = 0.25
_MOST = 3  # further contributions mentioned on either side


def sentence(attribution: "Attribution") -> str:
    values, clear = attribution.values, _clear(attribution)
    opening = "Tried" if attribution.proposal is not None else "It would be tried"
    gain = float((attribution.total - attribution.base).sum())
    best = divmod(int(np.argmax(np.where(clear, values, -np.inf))), values.shape[1])
    largest = float(values[best])
    if not clear.any() or largest <= 0.0:
        return (
            "No parameter speaks for this point: its acquisition value is "
            f"{_number(gain)} against an average point's, and nothing stands out."
            if not clear.any()
            else "Nothing speaks for this point: no parameter raises the acquisition above "
            f"an average point's ({_number(gain)} in sum)."
        )
    positive = float(values[values > 0.0].sum())
    how = "mainly" if largest >= 0.5 * positive else "in part"
    text = f"{opening} {how} because {_leads(attribution, *best)}"
    others = _others(attribution, clear, best, largest)
    if others:
        text += "; " + _joined(others)
    against = _against(attribution, clear, largest)
    text += f"; against it, {_joined(against)}" if against else ""
    if gain <= 0.0:
        text += f". In sum it is no better than an average point ({_number(gain)})"
    return text + "."


def _clear(attribution: "Attribution") -> np.ndarray:
    """What stands out from its own error and from zero."""
    size = np.abs(attribution.values)
    unit = max(float(np.abs(attribution.total).max()), float(np.abs(attribution.base).max()))
    clear: np.ndarray = (size > 2.0 * attribution.error) & (size > 1e-9 * unit)
    return clear


def _leads(attribution: "Attribution", row: int, parameter: int) -> str:
    leads = term(attribution.terms[row]).leads
    good = "high" if attribution.direction == "maximize" else "low"
    unnamed = "payoff" if attribution.direction == "maximize" else "value"
    what = unnamed if attribution.objective == "objective" else attribution.objective
    return f"{_place(attribution, parameter)} {leads.format(good=good, objective=what)}"


def _others(
    attribution: "Attribution", clear: np.ndarray, best: tuple[int, int], largest: float
) -> list[str]:
    """Other parameters in favour: "a and b add exploration"."""
    values = np.where(clear, attribution.values, 0.0).copy()
    values[best] = 0.0
    found: dict[str, list[str]] = {}
    for row, parameter in _ranked(values, largest):
        what = term(attribution.terms[row]).adds
        found.setdefault(what, []).append(attribution.parameters[parameter])
    return [f"{_joined(who)} {'add' if len(who) > 1 else 'adds'} {w}" for w, who in found.items()]


def _against(attribution: "Attribution", clear: np.ndarray, largest: float) -> list[str]:
    values = -np.where(clear, attribution.values, 0.0)
    found: dict[str, list[str]] = {}
    for row, parameter in _ranked(values, largest):
        words = term(attribution.terms[row])
        verb = "add" if words.adds_cost else "cost"
        found.setdefault(f"{verb}| {words.costs}", []).append(_place(attribution, parameter))
    return [
        f"{_joined(who)} {w.replace('|', '' if len(who) > 1 else 's')}" for w, who in found.items()
    ]


def _ranked(values: np.ndarray, largest: float) -> list[tuple[int, int]]:
    """The cells that stand out, the largest first."""
    order = np.argsort(-values, axis=None, kind="stable")[:_MOST]
    cells = [divmod(int(i), values.shape[1]) for i in order]
    return [cell for cell in cells if values[cell] >= _SHARE * largest]


def _place(attribution: "Attribution", parameter: int) -> str:
    name = attribution.parameters[parameter]
    value = attribution.point[name]
    return f"{name}={value:.4g}" if isinstance(value, float) else f"{name}={value}"


def _joined(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _number(value: float) -> str:
    return f"{value:+.3g}"
