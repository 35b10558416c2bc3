"""Many processes at one study: no fact lost, none doubled, no lock error, no double proposal."""

import collections
from typing import Any

import pytest

import counsel as cs
from counsel.facts.state import StudyState
from storage import workers


def run(work: Any, url: str, count: int, *arguments: Any) -> list[list[Any]]:
    """What each of `count` processes reported; none may fail."""
    started = [workers.start(work, url, f"worker {i}", *arguments) for i in range(count)]
    reports = [workers.heard(listen) for _, listen in started]
    for process, _ in started:
        process.join()
    for report in reports:
        assert not [said for said in report if isinstance(said, BaseException)]
    return reports


def assert_whole(study: cs.Study, acknowledged: list[Any]) -> None:
    """Everything acknowledged is there once, in one order, and can be replayed."""
    facts = study.facts
    ids = collections.Counter(fact.id for fact in facts)
    assert max(ids.values()) == 1
    assert sorted(acknowledged, key=lambda f: f.id) == sorted(facts, key=lambda f: f.id)
    proposals = [fact for fact in facts if isinstance(fact, cs.Proposal)]
    assert [p.round for p in proposals] == list(range(1, len(proposals) + 1))
    told = [f.proposal for f in facts if isinstance(f, cs.Observation)]
    assert len(set(told)) == len(told)
    assert_never_proposed_twice(study)
    assert study.replay().identical


def assert_never_proposed_twice(study: cs.Study) -> None:
    """While an arm is under way or rejected, nobody else is sent there."""
    state = StudyState(study.problem)
    for fact in study.facts:
        if isinstance(fact, cs.Proposal):
            under_way = [
                (state.decisions[p.id].values if p.id in state.decisions else None) or p.values
                for p in state.pending
            ]
            rejected = [p.values for p in state.proposals.values() if state.rejects(p)]
            assert fact.values not in [*under_way, *rejected]
        state.add(fact)


def many_rounds(url: str, processes: int, rounds: int) -> None:
    workers.create(url)
    reports = run(workers.rounds, url, processes, rounds)
    study = cs.load_study(workers.NAME, url)
    assert_whole(study, [fact for report in reports for fact in report if fact != "ready"])
    made = [fact for fact in study.facts if isinstance(fact, cs.Proposal)]
    assert len(made) == processes * rounds


def test_a_few_processes(url: str) -> None:
    many_rounds(url, 4, 10)


@pytest.mark.slow
def test_eight_processes_at_one_file(tmp_path: Any) -> None:
    many_rounds(f"sqlite:///{tmp_path / 'study.db'}", 8, 100)


@pytest.mark.slow
def test_sixteen_processes_at_one_server(server: Any) -> None:
    many_rounds(server.database("sixteen"), 16, 200)


def test_two_people_cannot_both_decide(url: str) -> None:
    study = workers.create(url)
    study.ask(10)
    reports = run(workers.rivals, url, 4)
    winners = {n: who for report in reports for n, who, won in report if won}
    assert sorted(winners) == list(range(1, 11))
    for report in reports:
        assert [n for n, _, _ in report] == list(range(1, 11))
        for number, who, _ in report:
            assert who == winners[number]  # those who lost were told who won
    decisions = [fact for fact in study.facts if isinstance(fact, cs.Decision)]
    assert [d.actor for d in sorted(decisions, key=lambda d: int(d.proposal[1:]))] == [
        winners[n] for n in range(1, 11)
    ]


def test_a_request_that_everybody_repeats_counts_once(url: str) -> None:
    study = workers.create(url)
    reports = run(workers.same_key, url, 4)
    assert all(report == reports[0] for report in reports)
    assert_whole(study, reports[0])
    assert len(study.facts) == 10


def test_several_open_a_new_database_at_once(tmp_path: Any, server: Any) -> None:
    for url in (f"sqlite:///{tmp_path / 'new.db'}", server.database("opened_at_once")):
        started = [workers.start(_create_or_load, url) for _ in range(4)]
        reports = [workers.heard(listen) for _, listen in started]
        assert [len(report) for report in reports] == [1] * 4
        assert sorted(fact.id for report in reports for fact in report) == ["p1", "p2", "p3", "p4"]


def _create_or_load(speak: Any, url: str) -> None:
    study = cs.create_study(
        workers.ARMS, name="new", policy="random", storage=url, load_if_exists=True
    )
    speak.send(study.ask())
