"""The suites by name: which worlds, how many first points and trials, who takes part."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from benchmarks.suites import coco, designs, learners, payoffs, tables
from benchmarks.suites.world import World

Worlds = Callable[[int, bool], Iterator[World]]

# Cheap ones first: a run that is cut short has as many contestants as possible.
QUICK = ("counsel", "random", "optuna-tpe")
GAUSSIAN = ("optuna-gp", "skopt", "botorch-logei", "smac", "baybe", "ax", "hebo")
BOX = (*QUICK, "cma", *GAUSSIAN, "botorch-ucb")
MIXED = (*QUICK, *GAUSSIAN)
NOISE = (*QUICK, "cma", "optuna-gp", "skopt", "botorch-lognei", "smac", "baybe", "ax", "hebo")
TABLES = ("counsel", "random", "botorch-logei", "baybe")
CONSTRAINTS = (*QUICK, "optuna-gp", "botorch-lognei", "ax")
BATCHES = (*QUICK, "cma", "optuna-gp", "skopt", "botorch-logei", "baybe", "ax", "hebo")
# V-UCB by name with every kappa: what kappa alone does.
KAPPAS = tuple(f"counsel:v-ucb,kappa={kappa}" for kappa in (0.5, 1.0, 1.5, 2.0, 3.0))
EXTREME = (
    "counsel",
    "random",
    *KAPPAS,
    "counsel:lw-ucb",
    "optuna-gp",
    "botorch-logei",
    "botorch-ucb",
)
TASKS = ("counsel", "random", "optuna-tpe", "optuna-gp", "baybe")


@dataclass(frozen=True)
class Suite:
    """`worlds(repeats, tuning)` gives the worlds with their repeats, in the order of play."""

    name: str
    title: str
    worlds: Worlds
    contestants: tuple[str, ...] = BOX
    batch: int = 1
    split: str = "other instances"  # how tuning and report differ


def _coco(name: str, dimension: int, numbers: tuple[int, ...], first: int) -> Worlds:
    def worlds(repeats: int, tuning: bool) -> Iterator[World]:
        start = coco.TUNING if tuning else coco.REPORTED
        instances = range(start, start + repeats)
        yield from coco.functions(
            name, dimension, numbers, instances, first=first, trials=TRIALS[dimension]
        )

    return worlds


TRIALS = {2: 30, 3: 50, 5: 60, 10: 100, 20: 120}
ALL = tuple(range(1, 25))
NOISY = tuple(range(101, 131))
CONSTRAINED = tuple(range(1, 55, 3))  # every third: 1, 3, 9, ... constraints in turn
LARGE = (1, 8, 15, 20)  # one of each group but the ill-conditioned

SUITES = {
    suite.name: suite
    for suite in (
        Suite("bbob-2", "COCO bbob, 2 inputs, 30 trials", _coco("bbob", 2, ALL, 4)),
        Suite("bbob-3", "COCO bbob, 3 inputs, 50 trials", _coco("bbob", 3, ALL, 6)),
        Suite("bbob-5", "COCO bbob, 5 inputs, 60 trials", _coco("bbob", 5, ALL, 10)),
        Suite("bbob-10", "COCO bbob, 10 inputs, 100 trials", _coco("bbob", 10, ALL, 20)),
        Suite("bbob-20", "COCO bbob, 20 inputs, 120 trials", _coco("bbob", 20, LARGE, 20)),
        Suite(
            "hidden",
            "Hartmann's six inputs among 25, 120 trials",
            designs.hidden,
            split="other inputs hidden",
        ),
        Suite(
            "noisy",
            "COCO bbob-noisy, 3 inputs, 50 trials",
            _coco("bbob-noisy", 3, NOISY, 6),
            NOISE,
        ),
        Suite(
            "mixint",
            "COCO bbob-mixint, 5 inputs, 60 trials",
            _coco("bbob-mixint", 5, ALL, 10),
            MIXED,
        ),
        Suite(
            "learners",
            "Tuning scikit-learn's models, 40 trials",
            learners.worlds,
            MIXED,
            split="other folds and seeds",
        ),
        Suite(
            "from-50",
            "Tuning scikit-learn's models, 20 trials, with 50 past ones on other data",
            learners.after_another,
            TASKS,
            split="other folds and seeds",
        ),
        Suite(
            "tables",
            "Finite tables of reactions and campaigns, 40 trials",
            tables.worlds,
            TABLES,
            split="sub-tables and other seeds",
        ),
        Suite(
            "designs",
            "Engineering designs with constraints",
            designs.worlds,
            CONSTRAINTS,
            split="seeds alone",
        ),
        Suite(
            "constrained",
            "COCO bbob-constrained, 5 inputs, 60 trials",
            _coco("bbob-constrained", 5, CONSTRAINED, 10),
            CONSTRAINTS,
        ),
        Suite(
            "batch-4",
            "COCO bbob, 5 inputs, 60 trials in batches of 4",
            _coco("bbob", 5, ALL, 12),
            BATCHES,
            batch=4,
        ),
        Suite(
            "batch-8",
            "COCO bbob, 5 inputs, 60 trials in batches of 8",
            _coco("bbob", 5, ALL, 12),
            BATCHES,
            batch=8,
        ),
        Suite(
            "payoffs",
            "Few points pay much, 40 trials",
            payoffs.worlds,
            EXTREME,
            split="other families, and parts of the tables",
        ),
        Suite("from-1", "COCO bbob, 2 inputs, from one point", _coco("bbob", 2, ALL, 1)),
    )
}
