"""What a study does between proposals: what-ifs, writing facts, and files.

There are no rivals here. The cases exist to compare versions (`python -m benchmarks.versions`).
"""

import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks.cases.case import OURS, Case, Check, Results
from benchmarks.measure import Measurement, timed

TRIALS = 100


def _repeated(work: Callable[[], object], repeats: int, per: int = 1) -> Measurement:
    _, first, _ = timed(work)
    both = [timed(work)[1:] for _ in range(repeats)]
    return Measurement(
        wall=[w / per for w, _ in both], cpu=[c / per for _, c in both], first=first / per
    )


def _what_if() -> Measurement:
    import counsel as cs

    rng = np.random.default_rng(0)
    study = cs.create_study(cs.Space(x=cs.Float(0, 1), y=cs.Float(0, 1)), policy="v-ucb")
    for x, y in rng.uniform(size=(TRIALS, 2)):
        study.tell({"x": float(x), "y": float(y)}, float(np.sin(5 * x) + y))
    study.ask()
    points = iter(rng.uniform(size=(100, 2)))

    def ask() -> object:
        x, y = next(points)
        return study.what_if({"x": float(x), "y": float(y)})

    ask()
    return _repeated(ask, 30)


def _told(storage: str | None) -> Measurement:
    import counsel as cs

    space = cs.Space(x=cs.Float(0, 1), y=cs.Float(0, 1))
    rng = np.random.default_rng(0)
    study = cs.create_study(space, policy="random", storage=storage)

    def tell() -> None:
        for x, y in rng.uniform(size=(TRIALS, 2)):
            study.tell({"x": float(x), "y": float(y)}, 1.0)

    return _repeated(tell, 5, TRIALS)


def _told_to_a_file() -> Measurement:
    with tempfile.TemporaryDirectory() as folder:
        return _told(f"sqlite:///{folder}/study.db")


def _exported(suffix: str) -> Measurement:
    import counsel as cs
    from counsel import exchange

    rng = np.random.default_rng(0)
    study = cs.create_study(cs.Space(x=cs.Float(0, 1), y=cs.Float(0, 1)), policy="random")
    for _ in range(300):
        study.tell(study.ask(), float(rng.normal()))
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / f"study.{suffix}"
        return _repeated(lambda: exchange.export_study(study, target), 10, len(study.facts))


def _imported() -> Measurement:
    import counsel as cs
    from counsel import exchange

    study = cs.create_study(cs.Space(x=cs.Float(0, 1), y=cs.Float(0, 1)), policy="random")
    for _ in range(300):
        study.tell(study.ask(), 1.0)
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "study.json"
        exchange.export_study(study, target)
        return _repeated(lambda: exchange.import_study(target), 10, len(study.facts))


def _checks(results: Results) -> list[Check]:
    return []


def _case(name: str, title: str, work: Callable[[], Measurement]) -> Case:
    return Case(name=name, title=title, contestants={OURS: work}, checks=_checks, turns=3)


CASES = (
    _case("what-if", f"One what-if with {TRIALS} trials", _what_if),
    _case("tell-memory", "One observation in memory", lambda: _told(None)),
    _case("tell-sqlite", "One observation in SQLite, synced to disk", _told_to_a_file),
    _case("export-json", "One fact to a JSON file, of 600", lambda: _exported("json")),
    _case("export-csv", "One fact to a CSV file, of 600", lambda: _exported("csv")),
    _case("import-json", "One fact from a JSON file, of 600", _imported),
)
