"""Measured regret and violation beside the theorems' bounds, on draws from a known model.

`dmcl.guarantees` computes the bounds. Notes on the theory. Lemma 3's middle step is false as
printed; what follows from x in S or U is u_i(x) >= 0, hence a violation of at most u_i - l_i. Lemma
2 needs the best arm in S. The bound on violations fails for constraints that are never asked about.
The proof of Theorem 1 takes the square root of beta where Lemma 1 multiplies by beta.

Of the paper's equations, (3) is known and computed as printed; (15) is known by its size alone and
is computed in a form of that size; what (16), (17) and (21) say is not known. The table "Equations"
says so on the page.
"""

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
import pandas as pd

from counsel.constraints.running_bounds import bayesian_beta
from counsel.experiments.dmcl.answers import Outcome, chapter, mean, outcomes, verdict
from counsel.experiments.dmcl.guarantees import Guarantee, guarantee, speaks_from
from counsel.experiments.dmcl.methods import dmcl, method
from counsel.experiments.dmcl.protocol import Asking, ask_and_pull, believed
from counsel.experiments.dmcl.theory import LOW, low_rank
from counsel.experiments.experiment import Experiment, Method
from counsel.experiments.registry import registered
from counsel.experiments.regrets import interval, short
from counsel.experiments.report import Chapter, Report, Table
from counsel.experiments.statistics import growth
from counsel.policies.mcl import MCL
from counsel.worlds.correlated import Correlated

__all__ = ["BOUNDS"]

_DELTA = 0.1
_SHARED = method("ICM, one by one", dmcl(), sequential=True, known=True)
_IMPUTED = method("ICM, imputing", dmcl(imputing=True), known=True)
_EVERYTHING = method("MCL", MCL(standardise=False), known=True)
_SOUND = (_SHARED, _EVERYTHING)

_EQUATIONS = Table(
    "Equations",
    ("of the paper", "what is known of it", "here"),
    (
        ("(3)", "violations are summed over constraints and rounds", "as printed"),
        (
            "(15)",
            "β_t, about 1e7",
            "in the form of Srinivas et al., Theorem 3, which has that size: an inference",
        ),
        (
            "Lemmas 1 to 3, Theorems 1 and 2",
            "what they claim, in outline, and three faults: Lemma 1 multiplies by β_t, the proof "
            "of Theorem 1 takes its square root; Lemma 2 needs the best arm in S; Lemma 3's middle "
            "step is false",
            "each claim, repaired, beside what was measured; standard constants",
        ),
        ("(16), (17), (21)", "nothing: the text cannot be had", "not computed under their names"),
    ),
)


def _tell(experiment: Experiment, rows: pd.DataFrame) -> Report:
    found = outcomes(experiment, rows, LOW)
    seeds = sorted(set(rows["seed"]))
    built = [experiment.worlds[LOW](int(seed)) for seed in seeds]
    each = [guarantee(one.world, one.model, experiment.rounds, _DELTA) for one in built]
    remarks = []
    for name in (one.name for one in _SOUND):
        covered, power = float(found[name].covered.mean()), growth(found[name].curves)
        share = float((found[name].curves / np.stack([g.bound for g in each])).max())
        remarks += [
            verdict(
                f"{name}: with the Bayesian beta all bounds hold in {1 - _DELTA:.0%} or more",
                covered >= 1.0 - _DELTA,
                f"{covered:.1%}",
            ),
            verdict(
                f"{name}: regret is sublinear",
                bool(power < 1.0) or not np.isfinite(power),
                f"t to the {short(power)}",
            ),
            verdict(
                f"{name}: regret stays below the bound of the theorems, run by run and round by "
                "round",
                share <= 1.0,
                f"at most {share:.1%} of it",
            ),
        ]
    collapsed = float(found[_IMPUTED.name].covered.mean())
    remarks.append(
        verdict("filling in what was not asked keeps the bounds", collapsed >= 1.0 - _DELTA,
                f"all held in {collapsed:.1%} of the runs")
    )  # fmt: skip
    tables = (
        _measured(rows, found),
        _steps(rows, built, experiment.rounds),
        _promised(each, built, found),
        _EQUATIONS,
    )
    chapters = (Chapter("Bounds", tables), chapter(LOW, found, _EVERYTHING.name))
    return Report(tuple(remarks), chapters)


def _table(rows: pd.DataFrame, of: Method, column: str) -> np.ndarray:
    mine = rows[rows["method"] == of.label]
    found = mine.pivot(index="seed", columns="round", values=column)
    return found.to_numpy(dtype=np.float64)


def _measured(rows: pd.DataFrame, found: Mapping[str, Outcome]) -> Table:
    lines = []
    for one in (_SHARED, _IMPUTED, _EVERYTHING):
        outcome = found[one.name]
        violation, width, worst = (
            _table(rows, one, column) for column in ("violation", "width", "worst")
        )
        lines.append(
            (
                one.name,
                f"{outcome.covered.mean():.0%}",
                interval(mean(violation.sum(axis=1))),
                interval(mean(worst.sum(axis=1))),
                short(float(width.sum(axis=1).mean())),
                f"{(worst <= width + 1e-9).mean():.1%}",
                short(growth(outcome.curves)),
                short(growth(np.cumsum(violation, axis=1))),
            )
        )
    columns = (
        "method", "all bounds held", "violation (3)", "of the worst constraint", "sum of widths",
        "rounds within it", "growth of regret", "of violation",
    )  # fmt: skip
    note = (
        "The widest bound of a round bounds the violation of its worst constraint. Growth: the "
        "power of t. Where nothing is violated any more it is 0."
    )
    return Table("Bounds and what was measured", columns, tuple(lines), note)


def _steps(rows: pd.DataFrame, built: Sequence[Correlated], rounds: int) -> Table:
    """The lemmas one after the other, each with what it needs."""
    names = ("error", "allowed", "exploring", "regret", "payoff_width", "worst", "width")
    columns = [_step(rows, one, names, built, rounds) for one in _SOUND]
    lines = tuple((what, *(column[what] for column in columns)) for what in columns[0])
    pairs = built[0].world.payoffs.size
    beta = float(bayesian_beta(pairs, rounds, _DELTA))
    note = (
        "Means over runs. The bounds of the runs themselves have the Bayesian β, at most "
        f"{short(beta)}. “Optimising”: rounds after the first that do not explore. Regret and "
        "width are those of the objective, “missed” is the worst constraint's violation. "
        "Information is that of the method's own model; MCL takes outcomes to be independent. What "
        "the answers gave bounds regret, as the objective is measured in each trial; it says "
        "nothing of constraints that nobody asked about."
    )
    return Table("Step by step", ("", *(one.name for one in _SOUND)), lines, note)


def _step(
    rows: pd.DataFrame,
    one: Method,
    names: Sequence[str],
    built: Sequence[Correlated],
    rounds: int,
) -> dict[str, str]:
    error, allowed, exploring, regret, payoff_width, worst, width = (
        _table(rows, one, name) for name in names
    )
    best_in, optimising = allowed > 0.5, exploring < 0.5
    optimising[:, 0] = False  # the first trial is the given arm
    within = regret <= payoff_width + 1e-9
    gained = np.cumsum(_table(rows, one, "information"), axis=1)
    asking = one.acquisition_in(LOW)
    assert isinstance(asking, Asking)
    models = [(each.world, believed(each.model, asking.policy)) for each in built]
    most = [guarantee(*each, rounds, _DELTA) for each in models]
    own = [guarantee(*each, rounds, _DELTA, gained[i]) for i, each in enumerate(models)]
    needed = error.max(axis=1)

    def share(what: np.ndarray, among: np.ndarray) -> str:
        count = int(among.sum())
        return f"{what[among].mean():.1%} of {count}" if count else "none"

    return {
        "Lemma 1: the β that would have been enough": f"{short(float(needed.mean()))}, at most "
        f"{short(float(needed.max()))}",
        "Lemma 2 needs the best arm in S: so in optimising rounds": share(best_in, optimising),
        "there, regret is at most the width": share(within, optimising & best_in),
        "and in optimising rounds where it is not in S": share(within, optimising & ~best_in),
        "Lemma 3: missed by at most the width": share(
            worst <= width + 1e-9, np.ones_like(optimising)
        ),
        "information that the answers gave, and γ_T": f"{short(float(gained[:, -1].mean()))}, "
        f"{short(float(np.mean([g.information[-1] for g in most])))}",
        "bound on regret with the one, and with the other": f"{_last(own)}, {_last(most)}",
    }


def _last(each: Sequence[Guarantee]) -> str:
    return short(float(np.mean([g.bound[-1] for g in each])))


def _promised(
    each: Sequence[Guarantee], built: Sequence[Correlated], found: Mapping[str, Outcome]
) -> Table:
    """What the theorems guarantee of these instances, beside what was measured."""
    rounds = len(each[0].beta)
    at = [t for t in (10, 30) if t < rounds] + [rounds]
    constraints = len(built[0].world.constraints)
    curves = [
        ("information gain γ_T", [g.information for g in each]),
        ("norm of the truth B", [np.full(rounds, g.norm) for g in each]),
        ("β_T of the theorems", [g.beta for g in each]),
        ("their bound on regret, and on a constraint's violation", [g.bound for g in each]),
        ("on the violation (3)", [constraints * g.bound for g in each]),
        ("on regret, with the square root of β_T", [g.rooted for g in each]),
        ("β_T of Srinivas et al., Theorem 3", [g.agnostic for g in each]),
        ("their bound, with the square root of that β_T", [g.agnostic_bound for g in each]),
        ("the same with that β_T itself", [g.agnostic_plain for g in each]),
        *((f"{one.name}: regret", list(found[one.name].curves)) for one in _SOUND),
    ]
    lines = [
        (
            name,
            *(_number(float(np.mean([curve[t - 1] for curve in of]))) for t in at),
            _number(float(np.max([curve[-1] for curve in of]))),
        )
        for name, of in curves
    ]
    for one in _SOUND:
        violations = found[one.name].violations
        figures = (_number(float(violations.mean())), _number(float(violations.max())))
        lines.append((f"{one.name}: violation (3)", *("" for _ in at[:-1]), *figures))
    speaks = [speaks_from(one.world, one.model, _DELTA) for one in built]
    note = (
        f"{len(each)} instances, δ = {_DELTA:g}; means, and the largest after {rounds} rounds. "
        "The model is the one that instances are drawn from; standard constants, see "
        "`dmcl.guarantees`. The bound on regret is below that of the worst "
        f"arm in every round from about {_number(float(np.median(speaks)))} rounds on (median): "
        "here it says nothing. With a β_T of the size of (15), 1e7, nothing is ever certified. The "
        "proof takes the square root of β_T where Lemma 1 multiplies by β_T itself; with it the "
        "bound would be smaller by the factor in the table, and nothing in Lemma 1 allows it."
    )
    columns = ("", *(f"T = {t}" for t in at), "largest")
    return Table("Theorems 1 and 2", columns, tuple(lines), note)


def _number(value: float) -> str:
    return short(value) if value < 1e5 else f"{value:.2g}".replace("e+0", "e")


BOUNDS = registered(
    Experiment(
        name="dmcl/bounds",
        title="Regret, violation and their bounds",
        mirrors="Theorems 1 and 2 of the DMCL paper",
        worlds={LOW: partial(low_rank, 0.05, 0.02)},
        methods=(_SHARED, _IMPUTED, _EVERYTHING),
        rounds=100,
        measure=ask_and_pull,
        tell=_tell,
        seeds=40,
        block=20,
    )
)
