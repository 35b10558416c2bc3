"""Fields for what a trial says: a number, yes or no, or a level."""

from nicegui import ui

from counsel.facts.problem import Constraint
from counsel.service.web.fields import NumberField

__all__ = ["Answer", "Field", "outcome_field"]


class Answer:
    """A person's answer about a constraint: yes or no, or a level."""

    def __init__(self, constraint: Constraint, value: float | None = None) -> None:
        low, high = (int(end) for end in constraint.ends)
        options: dict[int, str] = {level: str(level) for level in range(low, high + 1)}
        if constraint.answer == "yes/no":
            options = {1: "yes", 0: "no"}
        self.label = constraint.name
        with ui.column().classes("gap-0"):
            ui.label(constraint.name).classes("faint")
            self._radio = ui.radio(options, value=None if value is None else int(value))
            self._radio.props("inline")
            self._radio.props["aria-label"] = constraint.name

    @property
    def value(self) -> float | None:
        return None if self._radio.value is None else float(self._radio.value)

    @property
    def typed(self) -> bool:
        return self._radio.value is not None


Field = NumberField | Answer


def outcome_field(name: str, bound: Constraint | None, value: float | None = None) -> Field:
    """The field for an outcome; `bound` is the constraint that it is about, if it is one."""
    if bound is not None and bound.answer != "number":
        return Answer(bound, value)
    hint = f"should be {bound.words().removeprefix(name).strip()}" if bound is not None else ""
    made = NumberField(name, value, hint=hint)
    made.input.classes("w-full")
    return made
