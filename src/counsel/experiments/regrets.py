"""Reports a regret experiment: curves and tables by world, remarks made from the numbers."""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from jaxtyping import Float

from counsel.experiments.experiment import Experiment
from counsel.experiments.figures import cumulative_figure, rate_figure
from counsel.experiments.pulls import cumulative
from counsel.experiments.report import Chapter, Report, Table
from counsel.experiments.statistics import Interval, Paired, growth, mad, middle, paired

__all__ = ["Comparison", "Recorded", "tell_regrets"]

# With fewer seeds than this a bootstrap interval is too narrow to be believed.
_FEW = 10


class Recorded(NamedTuple):
    """What the authors recorded: median and MAD of their cumulative regret over `runs`."""

    median: float
    mad: float
    runs: int = 100

    @property
    def half_width(self) -> float:
        """Of the median's 95% interval, if the runs are about normal."""
        return 1.96 * math.sqrt(math.pi / 2.0 / self.runs) * 1.4826 * self.mad


class _Held(NamedTuple):
    """Our median, counted as theirs, over the recorded one; and whether chance may explain it."""

    ratio: float
    within: bool

    @property
    def text(self) -> str:
        change = f"{self.ratio - 1.0:+.0%}".replace("-", "−")
        return f"({change})" if self.within else change

    @classmethod
    def against(cls, noisy: Float[np.ndarray, " B"], theirs: Recorded) -> "_Held":
        ours = middle(noisy)
        wide = math.hypot(max(ours.high - ours.value, ours.value - ours.low), theirs.half_width)
        return cls(ours.value / theirs.median, abs(ours.value - theirs.median) <= wide)


class Comparison(NamedTuple):
    """The subject of a report: in each world `champions` against the others, above all `rival`.

    `recorded` values of the authors (by world, then by method) belong to the protocol `group` and
    to as many rounds as the experiment has in full (`rounds`): other lengths are not compared.
    `reasons` say, by method, why ours may differ from theirs. `controls` are methods that only the
    tables show: the best of them is held against each champion.
    """

    champions: Mapping[str, tuple[str, ...]]
    rival: str
    group: str = ""
    rounds: int = 0
    recorded: Mapping[str, Mapping[str, Recorded]] = {}
    reasons: Mapping[str, str] = {}
    notes: tuple[str, ...] = ()
    controls: tuple[str, ...] = ()


class _Outcome(NamedTuple):
    """One method's curves in one world: our regret, and the authors' way of counting it."""

    curves: Float[np.ndarray, "B T"]
    noisy: Float[np.ndarray, " B"]

    @property
    def final(self) -> Float[np.ndarray, " B"]:
        return self.curves[:, -1]

    @property
    def median(self) -> float:
        return float(np.median(self.final))


_Outcomes = Mapping[str, _Outcome]


def tell_regrets(experiment: Experiment, rows: pd.DataFrame, comparison: Comparison) -> Report:
    remarks, chapters, everywhere = [], [], []
    for world in experiment.worlds:
        champions = comparison.champions[world]
        tables, figures = [], []
        for group in experiment.groups:
            outcomes = _outcomes(experiment, rows, world, group)
            theirs = group == comparison.group and experiment.rounds == comparison.rounds
            recorded = comparison.recorded.get(world, {}) if theirs else {}
            title = f"{world}, {group}"
            curves = {
                name: outcome.curves
                for name, outcome in outcomes.items()
                if name not in comparison.controls
            }
            figures += [cumulative_figure(title, curves), rate_figure(title, curves)]
            tables.append(_medians(title, outcomes, recorded))
            tables.append(_differences(title, outcomes, champions))
            remarks.append(_remark(title, outcomes, champions, comparison))
            if recorded:
                ratios = {
                    name: _Held.against(outcomes[name].noisy, recorded[name])
                    for name in outcomes
                    if name in recorded
                }
                there = min(recorded, key=lambda name: recorded[name].median)
                remarks.append(_against_the_record(world, ratios, (_lowest(outcomes), there)))
                everywhere.append(ratios)
        chapters.append(Chapter(world, tuple(tables), tuple(figures)))
    remarks += _differing(everywhere, comparison.reasons)
    if (seeds := rows["seed"].nunique()) < _FEW:
        remarks.insert(0, f"Only {seeds} seeds: take intervals and verdicts for a first look.")
    return Report((*remarks, *comparison.notes), tuple(chapters))


def _outcomes(experiment: Experiment, rows: pd.DataFrame, world: str, group: str) -> _Outcomes:
    return {
        method.name: _Outcome(
            cumulative(rows, world, method.label),
            cumulative(rows, world, method.label, "noisy_regret")[:, -1],
        )
        for method in experiment.members(group)
    }


# ---- tables -------------------------------------------------------------------------------------


def _medians(title: str, outcomes: _Outcomes, recorded: Mapping[str, Recorded]) -> Table:
    seeds = len(next(iter(outcomes.values())).noisy)
    columns = ["method", "median R_T (MAD)", "mean", "growth"]
    if recorded:
        columns += ["median of the noisy regret [95%]", "recorded by the authors", "difference"]
    rows = []
    for name, outcome in outcomes.items():
        cells = [
            name,
            f"{short(outcome.median)} ({short(mad(outcome.final))})",
            short(float(np.mean(outcome.final))),
            f"{growth(outcome.curves):.2f}",
        ]
        if recorded:
            theirs = recorded.get(name)
            said = f"{short(theirs.median)} ± {short(theirs.half_width)}" if theirs else ""
            held = _Held.against(outcome.noisy, theirs).text if theirs else ""
            cells += [interval(middle(outcome.noisy)), said, held]
        rows.append(tuple(cells))
    note = f'{seeds} seeds; R_T is noise-free; R_t grows about as t to the power in "growth".'
    if recorded:
        note += (
            " The authors counted |f* - y| with the noisy payoff y; ± is half of the 95% interval "
            "of their median, from their MAD. A difference in brackets may be chance."
        )
    return Table(f"Cumulative regret: {title}", tuple(columns), tuple(rows), note)


def _differences(title: str, outcomes: _Outcomes, champions: Sequence[str]) -> Table:
    rows = []
    for champion in champions:
        for name, other in outcomes.items():
            if name == champion or champion not in outcomes:
                continue
            found = paired(outcomes[champion].final, other.final)
            rows.append(
                (
                    f"{champion} less {name}",
                    interval(found.median),
                    interval(found.mean),
                    probability(found.p),
                )
            )
    return Table(
        f"Paired differences of R_T: {title}",
        ("methods", "median [95%]", "mean [95%]", "Wilcoxon p"),
        tuple(rows),
        "Same first pulls and noise, seed by seed; below 0 the first method has less regret. "
        "Intervals: bootstrap over seeds.",
    )


# ---- remarks ------------------------------------------------------------------------------------


def _remark(
    title: str, outcomes: _Outcomes, champions: Sequence[str], comparison: Comparison
) -> str:
    rivals = [comparison.rival]
    played = [name for name in (comparison.rival, *comparison.controls) if name in outcomes]
    if len(played) > 1:
        rivals.append(min(played, key=lambda name: outcomes[name].median))
    sentences = [
        _verdict(champion, rival, paired(outcomes[champion].final, outcomes[rival].final))
        for champion in champions
        for rival in dict.fromkeys(rivals)
        if champion in outcomes and rival in outcomes and champion != rival
    ]
    lowest = _lowest(outcomes)
    sentences.append(f"The lowest median is that of {lowest} ({short(outcomes[lowest].median)}).")
    return f"{title}: " + " ".join(sentences)


def _verdict(first: str, second: str, found: Paired) -> str:
    """Both centres, because a method that fails on a few seeds has a fine median and a bad mean."""
    median, mean = interval(found.median), interval(found.mean)
    words = {-1: "less regret than", 1: "more regret than"}
    if found.median.sign == found.mean.sign == 0:
        return (
            f"{first} cannot be told from {second}: median difference {median}, mean {mean} "
            "(95% intervals)."
        )
    said = []
    for centre, sign, text in (
        ("median", found.median.sign, median),
        ("mean", found.mean.sign, mean),
    ):
        said.append(f"{words[sign]} it" if sign else "no difference that can be told")
        said[-1] += f" in the {centre} ({text})"
    return f"{first} against {second}: {said[0]}, {said[1]}.".replace(" than it ", " ")


def _lowest(outcomes: _Outcomes) -> str:
    return min(outcomes, key=lambda name: outcomes[name].median)


def _against_the_record(world: str, ratios: Mapping[str, _Held], lowest: tuple[str, str]) -> str:
    """How each median compares with the recorded one; `lowest` is the best here and there."""
    here, there = lowest
    text = f"{world} against the authors' records: "
    text += (
        f"the lowest is {here}, as there."
        if here == there
        else (f"this differs from the paper, where {there} is the lowest; here it is {here}.")
    )
    same = "Within the interval of the difference"
    sides: dict[str, list[str]] = {"Lower here": [], "Higher here": [], same: []}
    for name, held in ratios.items():
        side = same if held.within else "Lower here" if held.ratio < 1.0 else "Higher here"
        sides[side].append(f"{name} ({held.text.strip('()')})")
    text += "".join(f" {side}: {', '.join(names)}." for side, names in sides.items() if names)
    for side in ("Lower here", "Higher here"):
        if len(ratios) > 1 and len(sides[side]) == len(ratios):
            text += (
                " All lie on one side, which points to something that they share, the fit or the "
                "protocol, and not to an acquisition; which of the two was not tested here."
            )
    return text


def _differing(everywhere: Sequence[Mapping[str, _Held]], reasons: Mapping[str, str]) -> list[str]:
    """A known reason for each method that left the record in some world."""
    names = [name for ratios in everywhere for name, held in ratios.items() if not held.within]
    return [
        f"A known difference in {name}: {reasons[name]}."
        for name in dict.fromkeys(names)
        if name in reasons
    ]


# ---- numbers as text ----------------------------------------------------------------------------


def short(value: float) -> str:
    """Three figures, and no more than the decimals they need."""
    if not math.isfinite(value):
        return "none"
    if value == 0.0:
        return "0"
    decimals = max(0, 2 - math.floor(math.log10(abs(value))))
    return f"{value:.{min(decimals, 4)}f}"


def interval(found: Interval) -> str:
    return f"{short(found.value)} [{short(found.low)}, {short(found.high)}]".replace("-", "−")


def probability(p: float) -> str:
    if math.isnan(p):
        return "none"
    return "< 0.001" if p < 0.001 else f"{p:.3f}"
