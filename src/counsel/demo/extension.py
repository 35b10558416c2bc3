"""What the demonstration adds to the service: its worlds, and the arm that a person corrects."""

from collections.abc import Mapping

from counsel.demo.arm import Arm, moves_the_arm
from counsel.demo.arm_page import page
from counsel.facts.problem import Problem
from counsel.service.extension import Extension, Page, Simulator

__all__ = ["demonstration"]


def demonstration(worlds: Mapping[str, Simulator] | None = None) -> Extension:
    own = worlds or {}
    return Extension(own, _recognise, (Page("/arm", "Correct the arm", page),), tuple(own))


def _recognise(problem: Problem) -> Simulator | None:
    return Arm() if moves_the_arm(problem) else None
