"""What people ran into in a real laboratory, and the test that holds each of it.

An index: every row names the tests, which live beside the code that they are about.
"""

import ast
from pathlib import Path

import pytest

HERE = Path(__file__).parent
FINDINGS = {
    "failed trials do not trap the policy, and count as first trials": [
        "study/test_failures.py::test_failures_are_learned_from_and_do_not_trap_the_policy",
        "study/test_failures.py::test_first_trials_count_failures",
        "policies/test_default.py::test_failed_trials_do_not_trap_the_policy",
        "policies/test_default.py::test_first_trials_spread_by_what_failed_too",
    ],
    "a choice does not trap the default policy": [
        "policies/test_default.py::test_a_choice_does_not_trap_the_policy",
        "policies/test_default.py::test_levels_count_as_first_trials",
    ],
    "a failure is a state, reached by one call": [
        "study/test_everyday.py::test_what_cannot_be_measured_is_refused_with_the_way_out",
        "study/test_everyday.py::test_after_accepting_one_call_rejects",
    ],
    "how far a rejection reaches is said and can be chosen": [
        "study/test_everyday.py::test_how_far_a_rejection_reaches_is_said",
        "study/test_failures.py::test_a_rejection_reaches_as_far_as_it_says",
    ],
    "a dead worker's proposal is freed": [
        "study/test_failures.py::test_a_lapsed_lease_frees_the_proposal",
    ],
    "a grown spreadsheet is imported again without counting a row twice": [
        "study/test_everyday.py::test_a_grown_spreadsheet_counts_no_row_twice",
        "exchange/test_trials.py::test_rows_are_recognised_by_their_label_and_corrected",
    ],
    "columns of arms may be logarithmic, and names are not reasons": [
        "study/test_instruments.py::test_a_log_column_of_arms_is_learned_by_its_logarithm",
        "study/test_everyday.py::test_two_thousand_names_are_no_reason",
    ],
    "one posterior serves every question about the same facts": [
        "study/test_reuse.py::test_ask_predict_what_if_best_and_explain_share_a_posterior",
        "study/test_reuse.py::test_a_batch_is_one_fit_and_hardly_more_factorisations_than_one_ask",
        "study/test_reuse.py::test_many_observations_are_fitted_in_part_and_seen_through_a_few",
        "study/test_reuse.py::test_many_observations_are_reason_to_save_effort_in_new_studies_only",
    ],
    "a batch shares its search": [
        "acquisition/test_pool.py::test_a_batch_makes_its_candidates_once_and_replays",
        "acquisition/test_pool.py::test_a_later_trial_is_nearly_as_good_as_by_a_search_of_its_own",
    ],
    "what is left to gain is neither missed nor made up": [
        "study/test_outlook.py::test_the_peak_beside_the_best_trial_is_not_missed",
        "study/test_outlook.py::test_of_a_constant_nothing_is_said",
    ],
    "programs are there before they are needed, and compiled by one process": [
        "policies/test_ahead.py::test_no_round_up_to_the_next_size_compiles_anything",
        "models/test_compiling.py::test_of_processes_that_need_a_program_at_once_one_compiles_it",
    ],
    "many trials are told as dicts": ["study/test_everyday.py::test_many_trials_as_dicts"],
    "1e-4 in a YAML file is a number": [
        "study/test_everyday.py::test_small_numbers_in_a_file_are_numbers",
    ],
    "decimal commas are numbers": [
        "study/test_everyday.py::test_decimal_commas_are_numbers",
        "exchange/test_trials.py::test_what_a_comma_or_a_point_separates_is_clear_or_asked",
    ],
    "figures take choices": ["plots/test_choices.py::test_beliefs_are_drawn_along_choices"],
    "a study is pickled": ["study/test_everyday.py::test_a_study_is_pickled"],
    "trials are exported as a table": ["study/test_everyday.py::test_the_table_of_trials_as_csv"],
}


@pytest.mark.parametrize("finding", FINDINGS)
def test_a_finding_is_held_by_tests(finding: str) -> None:
    check_held(FINDINGS[finding])


def check_held(places: list[str]) -> None:
    """Every test is there, and is not skipped or expected to fail."""
    for place in places:
        file, _, name = place.partition("::")
        source = ast.parse((HERE / file).read_text(encoding="utf-8"))
        tests = {each.name: each for each in source.body if isinstance(each, ast.FunctionDef)}
        assert name in tests, place
        marks = " ".join(map(ast.unparse, tests[name].decorator_list))
        assert "skip" not in marks, place
        assert "xfail" not in marks, place
