"""What people ran into on the pages, and the tests that hold each of it.

An index: every row names its tests. Those of pages click and type in a real browser.
"""

import pytest

from test_laboratory_findings import check_held

FINDINGS = {
    "a text of its own in every row is a name, and bad rows are named and refused": [
        "service/test_studies_page.py::test_a_study_from_a_table_with_a_name_column_and_a_mistake",
        "service/test_stranger.py::test_a_stranger_finishes_a_study_of_their_own",
        "service/test_columns.py::test_a_bad_cell_does_not_turn_numbers_into_text",
    ],
    "only measured, feasible values in force are on the axis, and what was compared is not next": [
        "service/test_guidance_page.py::test_only_what_counts_is_on_the_axis_of_the_progress",
        "service/test_guidance_page.py::test_what_was_compared_is_not_called_the_next_proposal",
    ],
    "sentences about trials, the best one and the first ones are true": [
        "service/test_guidance_page.py::test_only_what_counts_is_on_the_axis_of_the_progress",
        "service/test_words.py::test_one_is_singular",
        "service/test_words.py::test_a_trial_that_breaks_a_constraint_is_not_called_the_best",
        "service/test_words.py::test_what_is_drawn_at_random_is_called_so",
    ],
    "a point has one prediction": [
        "service/test_decide_page.py::test_a_point_has_one_prediction_whatever_was_told_since",
    ],
    "an empty field of mine is refused, and an untouched one accepts": [
        "service/test_decide_page.py::test_an_empty_field_is_refused_and_an_unchanged_one_accepts",
    ],
    "a slip is asked about, and decimal commas are read": [
        "service/test_stranger.py::test_a_stranger_finishes_a_study_of_their_own",
        "service/test_fields.py::test_a_slip_is_asked_about_and_a_good_result_is_not",
        "service/test_fields.py::test_decimal_commas_are_read",
    ],
    "a reload, a restart or somebody else's action loses nothing, and every step has undo": [
        "service/test_decide_page.py::test_a_reload_keeps_the_proposal_and_what_was_typed",
        "service/test_lost_connections.py::test_a_service_restarted_under_a_page_loses_nothing_that_was_typed",
        "service/test_decide_page.py::test_others_are_announced_beside_what_i_type",
        "service/test_decide_page.py::test_every_decision_can_be_undone",
        "service/test_people_page.py::test_pressed_twice_it_counts_once",
    ],
    "ways of the arm are merged and removed, and keys go where the tip goes": [
        "service/test_arm_page.py::test_correct_the_arm_while_it_moves",
        "service/test_arm_page.py::test_the_hand_goes_to_the_side_it_is_pushed_to",
        "worlds/test_correcting.py::test_the_hand_goes_where_it_is_pushed",
    ],
    "errors are in the page's words": [
        "service/test_people_page.py::test_whoever_is_second_is_told_what_to_press",
        "service/test_studies_page.py::test_a_study_from_a_table_with_a_name_column_and_a_mistake",
        "service/test_new_study_page.py::test_a_form_that_cannot_be_is_refused_in_a_sentence",
    ],
    "an answer that is asked for is not dropped in silence": [
        "service/test_decide_page.py::test_what_is_asked_and_left_open_is_asked_again",
    ],
    "whoever closes or leaves the question for a name has recorded nothing": [
        "service/test_people_page.py::test_whoever_closes_the_question_has_recorded_nothing",
        "service/test_people_page.py::"
        "test_whoever_leaves_while_asked_for_a_name_has_recorded_nothing",
    ],
    "the table of trials is one that a person wants": [
        "service/test_pages.py::test_revise_withdraw_and_export",
    ],
    "who holds a proposal is seen before anybody is refused": [
        "service/test_people_page.py::test_others_see_who_holds_a_proposal_and_who_is_trying_it",
    ],
    "charts follow a dark system": [
        "service/test_studies_page.py::test_charts_follow_a_dark_system",
    ],
    "contrast and names: axe finds nothing, in both modes, at both widths": [
        "service/test_studies_page.py::test_axe_finds_nothing_on_any_page",
        "service/test_studies_page.py::test_axe_finds_nothing_on_any_page_the_other_way_round",
        "service/test_pages.py::test_pages_fit_their_screen",
    ],
    "sliders are announced in the parameter's own units": [
        "service/test_decide_page.py::test_mine_is_dragged_on_the_map_tried_and_judged",
    ],
    "Insights draws 20,000 candidates": [
        "service/test_insights_page.py::test_insights_of_twenty_thousand_candidates",
    ],
    "the layout does not jump": [
        "service/test_pages.py::test_the_buttons_stay_where_they_are_when_reasons_come",
    ],
}


@pytest.mark.parametrize("finding", FINDINGS)
def test_a_finding_is_held_by_tests(finding: str) -> None:
    check_held(FINDINGS[finding])
