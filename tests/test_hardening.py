"""What attacks on the service and the storage once reached, and the tests that hold each of it.

An index: every row names the tests, which live beside the code that they are about. The threat
model (docs/security.md) names the same tests, and others.
"""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ATTACKS = {
    "1 a viewer writes facts by emitting a page's events": [
        "service/test_open_pages.py::test_a_viewer_writes_no_fact_by_emitting_events",
        "service/test_open_pages.py::test_no_page_goes_around_the_check",
    ],
    "2 revocation and expiry do not reach open pages": [
        "service/test_open_pages.py::test_revocation_and_expiry_reach_open_pages",
        "service/test_open_pages.py::test_a_page_is_closed_by_the_first_look_after_its_session_has_ended",
        "service/test_open_pages.py::test_an_event_after_revocation_is_not_handled",
    ],
    "3 acknowledged facts vanish with synchronous_commit off, after a restore or a failover": [
        "storage/test_durability.py::test_acknowledged_facts_do_not_vanish_with_synchronous_commit_off",
        "storage/test_durability.py::test_a_database_that_is_restored_under_a_running_process_is_noticed",
        "storage/test_durability.py::test_other_facts_in_the_same_places_are_noticed",
        "storage/test_backup.py::test_a_program_that_runs_notices_a_restore_and_goes_on",
    ],
    "4 an SQLite file removed or replaced under a running service": [
        "service/test_health.py::test_a_file_removed_under_a_running_service_is_said_so",
        "storage/test_database.py::test_a_file_removed_under_a_running_study_is_refused",
        "storage/test_database.py::test_a_file_replaced_by_an_older_copy_is_noticed",
        "storage/test_database.py::test_a_file_removed_while_it_is_written_is_not_acknowledged",
    ],
    "5 hangs: PostgreSQL or the compute process stopped, SIGTERM then, a lock, health": [
        "storage/test_deadlines.py::test_a_postgresql_that_stands_still_is_a_sentence",
        "storage/test_deadlines.py::test_a_lock_on_a_file_with_nine_who_wait",
        "service/test_compute.py::test_one_that_is_stopped_is_replaced",
        "service/test_serving.py::test_an_ask_is_answered_though_what_computes_stands_still",
        "service/test_serving.py::test_it_ends_though_what_computes_stands_still",
        "service/test_serving.py::test_it_ends_though_postgresql_stands_still",
        "service/test_health.py::test_health_answers_while_postgresql_stands_still_or_is_down",
        "service/test_health.py::test_health_answers_while_nine_tells_wait_for_a_lock",
    ],
    "6 tokens bypass the retries; a NUL in a token": [
        "storage/test_tokens.py::test_tokens_outlast_a_restart_of_postgresql",
        "storage/test_tokens.py::test_a_text_that_no_database_takes_is_an_unknown_token",
        "service/test_logs.py::test_a_nul_in_a_token_is_an_unknown_token",
    ],
    "7 denial of service: unfinished requests, endless heads, large bodies, what-ifs, batches": [
        "service/test_connections.py::test_unfinished_requests_do_not_stay_open",
        "service/test_connections.py::test_one_address_has_so_many_connections",
        "service/test_connections.py::test_a_head_that_goes_on_is_cut_off",
        "service/test_connections.py::test_no_body_is_read_of_somebody_without_a_token",
        "service/test_connections.py::test_large_bodies_leave_the_others_their_turn",
        "service/test_connections.py::test_an_answer_that_nobody_reads_is_given_up",
        "service/test_fair_shares.py::test_abandoned_what_ifs_of_a_viewer_do_not_delay_another_study",
        "service/test_fair_shares.py::test_what_is_computed_for_somebody_who_has_gone_is_given_up_midway",
        "service/test_fair_queue.py::test_long_work_gives_way_to_other_people_and_studies",
        "service/test_fair_shares.py::test_a_decision_does_not_wait_for_a_batch_of_another_study",
    ],
    "8 bad data: policy fields, surrogates, flipped bits, damage, read-only, the year 1": [
        "exchange/test_files.py::test_a_policy_that_cannot_be_built_is_refused_before_anything_is_stored",
        "service/test_broken_studies.py::test_a_broken_study_is_shown_as_broken_and_breaks_no_list",
        "service/test_routes.py::test_half_a_surrogate_pair_is_refused_and_not_stored",
        "storage/test_verify.py::test_flipped_bits_never_change_a_fact_silently",
        "storage/test_verify.py::test_a_damaged_file_is_not_said_to_have_lost_nothing",
        "storage/test_database.py::test_a_file_that_is_made_writable_again_is_written_again",
        "exchange/test_files.py::test_a_time_of_the_year_1_in_a_file_is_refused",
        "exchange/test_files.py::test_a_part_of_a_file_that_would_break_later_is_refused",
        "exchange/test_files.py::test_a_setting_of_another_kind_is_refused",
    ],
    "9 a compile cache that others can write is unpickled": [
        "models/test_cache_folder.py::test_code_in_a_folder_that_others_can_write_does_not_run",
    ],
    "10 logs with tokens and forged lines; passwords in /health and in messages": [
        "service/test_logs.py::test_the_log_has_no_query_and_no_forged_line",
        "service/test_logs.py::test_strangers_cannot_fill_the_log",
        "service/test_health.py::test_health_answers_while_postgresql_stands_still_or_is_down",
        "storage/test_database.py::test_no_password_is_shown",
        "storage/test_database.py::test_a_mistyped_address_does_not_print_its_password",
    ],
    "11 formulas, X-Forwarded-For, cookies, repeated creations, links, classes, names, deleting": [
        "exchange/test_files.py::test_no_cell_of_a_csv_file_is_a_formula",
        "service/test_logs.py::test_forwarded_addresses_are_believed_of_a_named_proxy_only",
        "service/test_logs.py::test_a_session_cookie_is_secure_under_tls",
        "service/test_open_pages.py::test_signing_out_ends_the_session",
        "service/test_routes.py::test_a_study_is_created_once_with_a_key",
        "service/test_charts.py::test_a_parameter_named_as_a_link_is_drawn_as_text",
        "policies/test_description.py::test_only_what_is_registered_is_built",
        "storage/test_creation.py::test_long_names_are_answered_alike_on_every_storage",
        "storage/test_deadlines.py::test_deleting_thousands_of_facts_takes_no_longer_for_each",
    ],
    "12 load: twenty clients, and memory": [
        "service/test_load.py::test_many_clients_ask_decide_and_tell",
        "service/test_load.py::test_memory_levels_off_under_load",
        "service/test_compute.py::test_beliefs_of_all_studies_together_are_bounded",
    ],
    "all of it at once": [
        "service/test_faults.py::test_random_faults_lose_nothing_that_is_not_said",
        "service/test_study_roles.py::test_every_route_for_everybody_in_each_study",
        "service/test_schema.py::test_answers_are_as_announced",
    ],
}


@cache
def marks_of(file: Path) -> dict[str, str]:
    """The tests of a file, and their marks."""
    source = ast.parse(file.read_text(encoding="utf-8"))
    found = [each for each in source.body if isinstance(each, ast.FunctionDef)]
    return {each.name: " ".join(map(ast.unparse, each.decorator_list)) for each in found}


@pytest.mark.parametrize("attack", ATTACKS)
def test_an_attack_is_held_by_tests(attack: str) -> None:
    for place in ATTACKS[attack]:
        file, _, name = place.partition("::")
        marks = marks_of(HERE / file)
        assert name in marks, place
        assert "xfail" not in marks[name], place


def test_the_threat_model_names_tests_that_exist() -> None:
    text = (HERE.parent / "docs" / "security.md").read_text(encoding="utf-8")
    files = list(HERE.rglob("test_*.py"))
    everywhere = {name for file in files for name in marks_of(file)}
    named = re.findall(r"`((?:[\w/]+/)?test_\w+(?:\.py)?(?:::test_\w+)?)`", text)
    assert len(named) > 60
    for each in named:
        file, _, name = each.partition("::")
        if not file.endswith(".py"):
            assert file in everywhere, each
        else:
            assert file.rpartition("/")[2] in {found.name for found in files}, each
            assert not name or name in everywhere, each
