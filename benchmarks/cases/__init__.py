"""What is timed: one module per row of the benchmark."""

from benchmarks.cases import (
    ask_arms,
    ask_box,
    ask_constraints,
    ask_many,
    ask_rules,
    certify_many,
    explain,
    facade,
    first_ask,
    long_study,
    predict_million,
)
from benchmarks.cases.case import Case

CASES: dict[str, Case] = {
    case.name: case
    for case in (
        ask_arms.CASE,
        ask_box.CASE,
        predict_million.CASE,
        ask_many.CASE,
        ask_rules.CASE,
        first_ask.CASE,
        *explain.CASES,
        ask_constraints.FEW,
        ask_constraints.MANY,
        certify_many.CASE,
        *facade.CASES,
        *long_study.CASES,
    )
}
