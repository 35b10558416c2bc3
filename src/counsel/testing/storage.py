"""What every storage must do, as tests: subclass `StorageConformance` in a test file.

class TestMyStorage(StorageConformance):
    @pytest.fixture(autouse=True)
    def place(self, tmp_path):
        self.path = tmp_path

    def open(self):
        return MyStorage(self.path)
"""

import dataclasses
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np

import counsel as cs
from counsel.explain.attribution import Attribution, Shown
from counsel.facts.chain import NOTHING
from counsel.facts.records import Fact, Value
from counsel.facts.summaries import Setup
from counsel.storage import Request, Storage
from counsel.testing.refusals import refused

__all__ = ["StorageConformance"]

# To the microsecond, and in another zone than the database's.
NOW = datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)
SPACE = cs.Space(
    x=cs.Float(0, 10),
    k=cs.Int(1, 10**9),
    c=cs.Categorical(["u", "1", 1, "é☃", False]),
    context={"day": cs.Int(1, 5)},
)
PROBLEM = cs.Problem(
    SPACE,
    cs.Objective("yield", "minimize"),
    (cs.Constraint("comfort", at_least=0.1 + 0.2), cs.Constraint("jerk", at_most=2.0)),
)
SETUP = Setup("trial", PROBLEM, "VUCB", {"type": "a:B", "fields": {"k": 0.1}}, 2**63 - 1, NOW)
POINT: dict[str, Value] = {"x": 0.1 + 0.2, "k": 7, "c": 1}
OTHER: dict[str, Value] = {"x": 5e-324, "k": 10**9, "c": "1"}
DAY: dict[str, Value] = {"day": 3}
# One of everything, with the numbers that are easily lost on the way.
FACTS: list[Fact] = [
    cs.Proposal(
        id="p1",
        round=1,
        values=POINT,
        context=DAY,
        asks=("comfort", "jerk"),
        prediction=cs.Prediction(-1.7976931348623157e308, 0.1),
        terms={"exploitation": 1 / 3, "approximation": -0.0},
        policy="VUCB",
        theta=(0.1, -1e-17, 3.0),
        seen=0,
        note="a 'quoted' \"note\"\n%s :x ☃",
        time=NOW,
    ),
    cs.Proposal("p2", 2, OTHER, DAY, (), None, {}, "VUCB", (), 1, "", NOW),
    cs.Decision("d1", "p1", "override", OTHER, "ann", "too stiff; DROP TABLE facts", NOW),
    cs.Decision("d2", "p2", "accept", None, "bob", "", NOW + timedelta(microseconds=1)),
    cs.Observation("o1", "p1", OTHER, DAY, {"yield": 1e-300, "jerk": -2.5}, "ann", NOW),
    cs.Observation("o2", None, {**POINT, "c": False}, DAY, {"comfort": 0.1}, "é", NOW),
    cs.Comparison("c1", POINT, OTHER, False, DAY, "p1", None, "ann", NOW),
    cs.Comparison("c2", OTHER, POINT, True, DAY, None, "p2", "bob", NOW),
    cs.Revision("r1", "o1", {"yield": 2.0, "jerk": 0.1 + 0.7}, "ann", "typing error", NOW),
    cs.Withdrawal("w1", "o2", "ann", "", NOW),
    cs.Comment("n1", "o1", "it was open; over 'night' ☃", "bob", NOW),
    cs.Archival("h1", False, "ann", "", NOW),
    cs.Archival("h2", True, "ann", "summer", NOW),
]


def _request(n: int) -> Request:
    return Request(f"key {n}", f"digest {n}")


def _append(storage: Storage, study: int, *facts: Fact) -> None:
    for fact in facts:
        place = len(storage.read(study, 0)) + 1
        storage.write(study, lambda w, f=fact, p=place: w.append(f, p, _request(p)))  # type: ignore[misc]


def _filled(storage: Storage) -> int:
    study = storage.create(SETUP)
    _append(storage, study, *FACTS)
    return study


def _types(facts: list[Fact]) -> list[Any]:
    """Differences that equality hides: 1 == True, and 1.0 == 1."""
    return [repr(dataclasses.asdict(fact)) for fact in facts]


class StorageConformance:
    """The contract of `counsel.storage.Storage`: what is written comes back, for every program."""

    def open(self) -> Storage:
        """The storage under test, opened as another program would; empty at first."""
        raise NotImplementedError

    def test_a_study_comes_back_as_it_was_created(self) -> None:
        number = self.open().create(SETUP)
        assert self.open().find("trial") == (number, SETUP)
        assert repr(self.open().find("trial")[1].problem) == repr(PROBLEM)

    def test_facts_come_back_exactly_and_in_order(self) -> None:
        study = _filled(self.open())
        found = self.open().read(study, 0)
        assert found == FACTS
        assert _types(found) == _types(FACTS)
        for after in range(len(FACTS) + 1):
            assert self.open().read(study, after) == FACTS[after:]

    def test_a_study_may_be_created_with_its_facts(self) -> None:
        study = self.open().create(SETUP, FACTS)
        assert _types(self.open().read(study, 0)) == _types(FACTS)

    def test_arms_come_back(self) -> None:
        arms = cs.Arms([{"a": i / 3, "n": i, "label": f"é{i}"} for i in range(20)])
        setup = dataclasses.replace(SETUP, problem=cs.Problem(arms))
        self.open().create(setup)
        assert self.open().find("trial")[1] == setup

    def test_names_are_unique_and_listed(self) -> None:
        storage = self.open()
        assert storage.summaries() == []
        _filled(storage)
        storage.create(dataclasses.replace(SETUP, name="other"))
        with refused(cs.Conflict, r"'trial'.*load_if_exists"):
            storage.create(SETUP)
        found = self.open().summaries()
        assert [(s.name, s.objective, s.policy, s.facts) for s in found] == [
            ("trial", "yield", "VUCB", len(FACTS)),
            ("other", "yield", "VUCB", 0),
        ]
        assert found[0].created == NOW
        assert [s.archived for s in found] == [True, False]

    def test_an_unknown_study_is_not_found(self) -> None:
        storage = self.open()
        with refused(cs.NotFound, r"'nothing'.*none"):
            storage.find("nothing")
        storage.create(SETUP)
        with refused(cs.NotFound, r"'nothing'.*'trial'"):
            storage.find("nothing")
        with refused(cs.NotFound, "'nothing'"):
            storage.delete("nothing")

    def test_studies_do_not_see_each_other(self) -> None:
        storage = self.open()
        first = _filled(storage)
        second = storage.create(dataclasses.replace(SETUP, name="other"))
        _append(storage, second, FACTS[1])
        assert storage.read(first, 0) == FACTS
        assert storage.read(second, 0) == [FACTS[1]]
        assert storage.news(second, NOTHING, "key 2").answer is None

    def test_a_deleted_study_is_gone_and_others_stay(self) -> None:
        storage = self.open()
        study = _filled(storage)
        other = storage.create(dataclasses.replace(SETUP, name="other"), FACTS)
        storage.write(study, lambda w: w.hold("p2", "ann", 60))
        storage.delete("trial")
        for call in (
            lambda: storage.read(study, 0),
            lambda: storage.read(study, 5),
            lambda: storage.write(study, lambda w: w.read(0)),
            lambda: storage.find("trial"),
        ):
            with refused(cs.NotFound):
                call()
        assert storage.read(other, 0) == FACTS
        again = storage.create(SETUP)
        assert again != study  # those who still hold the old number must not write into the new one
        assert storage.read(again, 0) == []

    def test_work_that_raises_writes_nothing(self) -> None:
        storage = self.open()
        study = storage.create(SETUP)

        def work(writer: Any) -> None:
            writer.append(FACTS[0], 1, _request(1))
            writer.append(FACTS[1], 2, _request(2))
            writer.hold("p1", "ann", 60)
            raise RuntimeError("in the middle")

        with refused(RuntimeError, "in the middle"):
            storage.write(study, work)
        assert self.open().read(study, 0) == []
        assert self.open().leases(study) == []
        assert storage.news(study, NOTHING, "key 1").answer is None
        _append(storage, study, FACTS[0])
        assert self.open().read(study, 0) == FACTS[:1]

    def test_several_facts_in_one_write(self) -> None:
        storage = self.open()
        study = storage.create(SETUP)

        def work(writer: Any) -> str:
            for place, fact in enumerate(FACTS, 1):
                writer.append(fact, place, _request(place))
            return "done"

        assert storage.write(study, work) == "done"
        assert self.open().read(study, 0) == FACTS

    def test_answers_are_kept_with_their_place_and_digest(self) -> None:
        study = _filled(self.open())
        storage = self.open()
        assert storage.news(study, NOTHING, "key 3").answer == (3, "digest 3")
        assert storage.news(study, NOTHING, "key 99").answer is None
        assert storage.write(study, lambda w: w.answer("key 3")) == (3, "digest 3")

    def test_leases_lapse_are_renewed_and_released(self) -> None:
        storage = self.open()
        study = _filled(storage)
        lease = storage.write(study, lambda w: w.hold("p1", "ann", 60))
        assert (lease.proposal, lease.actor) == ("p1", "ann")
        left = lease.until - datetime.now(UTC)
        assert timedelta(seconds=50) < left < timedelta(seconds=70)
        assert self.open().leases(study) == [lease]
        assert self.open().write(study, lambda w: w.lease("p1")) == lease
        assert storage.write(study, lambda w: w.lease("p2")) is None
        renewed = storage.write(study, lambda w: w.hold("p1", "newcomer", 120))
        assert self.open().leases(study) == [renewed]
        storage.write(study, lambda w: w.release("p1"))
        assert self.open().leases(study) == []
        storage.write(study, lambda w: w.hold("p1", "ann", 1e-6))
        assert self.open().leases(study) == []
        assert storage.write(study, lambda w: w.lease("p1")) is None

    def test_explanations_that_were_shown_come_back(self) -> None:
        why = Attribution(
            terms=("model", "exploitation"),
            parameters=("x", "k", "c"),
            values=np.array([[0.1, 1 / 3, 0.0], [1e-300, 2.0, 3.0]]),
            base=np.array([0.5, -1.0]),
            total=np.array([1.0, 2.0]),
            error=np.array([[0.0, 0.0, 0.0], [0.1, 0.2, 0.3]]),
            methods=("exact", "sampled"),
            background="the whole space",
            evaluations=2**40,
            point=POINT,
            context=DAY,
            proposal="p1",
            objective="yield",
            direction="minimize",
            note="a note",
        )
        other = dataclasses.replace(why, proposal=None, terms=("a", "b"), note="")
        storage = self.open()
        study = _filled(storage)
        assert storage.shown(study) == []
        written = [Shown("ann", NOW, why), Shown("zoe", NOW, other)]
        for each in written:
            storage.write(study, lambda w, e=each: w.show(e))  # type: ignore[misc]
        found = self.open().shown(study)
        assert [repr(each) for each in found] == [repr(each) for each in written]
        assert self.open().read(study, 0) == FACTS  # no facts: nothing is believed for their sake
        storage.delete("trial")

    def test_threads_share_a_storage(self) -> None:
        storage = self.open()
        study = storage.create(SETUP)

        def tell(i: int) -> None:
            def work(writer: Any) -> None:
                place = len(writer.read(0)) + 1
                fact = dataclasses.replace(FACTS[5], id=f"o{place}")
                writer.append(fact, place, Request(f"{i}", ""))

            storage.write(study, work)

        with ThreadPoolExecutor(6) as pool:
            list(pool.map(tell, range(24)))
        assert [fact.id for fact in storage.read(study, 0)] == [f"o{i}" for i in range(1, 25)]
