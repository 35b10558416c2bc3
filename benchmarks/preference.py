"""Order recovered from comparisons, beside BoTorch's PairwiseGP: `python -m benchmarks.preference`.

Random pairs of random points, answered by a noisy person. Both models are fitted from scratch to
the same answers, both with squared-exponential kernels and one length-scale per input. Kendall's
tau is between the posterior mean and the true utility at 500 points that nobody saw. All in one
process, one after the other; the first fit, which compiles, is reported apart.
"""

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from scipy.stats import kendalltau

from benchmarks.report import machine, markdown_table, print_table

Points = NDArray[np.float64]
HEADER = [
    "utility",
    "answers",
    "seeds",
    "botorch tau",
    "counsel tau",
    "difference",
    "95% interval",
    "botorch s",
    "counsel s",
    "first fit s",
    "times faster",
]
TEST_POINTS = 500
RESAMPLES = 10_000


def hills(x: Points) -> Points:
    """Two smooth hills."""
    first = np.exp(-np.sum((x - 0.3) ** 2, axis=1) / 0.08)
    return first + 0.7 * np.exp(-np.sum((x - 0.75) ** 2, axis=1) / 0.05)


def waves(x: Points) -> Points:
    """A tilted wave: one input matters more than the others."""
    return np.sin(5.0 * x[:, 0]) + 1.5 * np.cos(3.0 * x[:, 1]) * x[:, 0] + 0.3 * x[:, 2:].sum(1)


def bowl(x: Points) -> Points:
    """A bowl with a different curvature in each input."""
    weights = np.arange(1.0, x.shape[1] + 1.0)
    return -np.sum(weights * (x - 0.4) ** 2, axis=1)


@dataclass(frozen=True)
class Setting:
    name: str
    utility: Callable[[Points], Points]
    inputs: int
    points: int
    answers: int
    noise: float = 0.15


SETTINGS = (
    Setting("two hills, 2 inputs", hills, 2, 30, 40),
    Setting("waves, 2 inputs", waves, 2, 40, 100),
    Setting("waves, 4 inputs", waves, 4, 60, 150),
    Setting("bowl, 6 inputs", bowl, 6, 80, 200),
)


@dataclass(frozen=True)
class Answers:
    """Points, and rows (winner, loser) into them."""

    points: Points
    pairs: NDArray[np.int64]
    test: Points
    truth: Points


def answers(setting: Setting, seed: int) -> Answers:
    rng = np.random.default_rng([seed, setting.answers])
    points = rng.uniform(size=(setting.points, setting.inputs))
    test = rng.uniform(size=(TEST_POINTS, setting.inputs))
    scale = setting.utility(test).std()
    value = setting.utility(points) / scale
    pairs = np.array([rng.choice(setting.points, 2, False) for _ in range(setting.answers)])
    felt = value[pairs[:, 0]] - value[pairs[:, 1]]
    felt += setting.noise * rng.standard_normal(setting.answers)
    pairs = np.where((felt > 0.0)[:, None], pairs, pairs[:, ::-1])
    return Answers(points, pairs, test, setting.utility(test))


def with_counsel(given: Answers, seed: int) -> Points:
    from counsel.models.fit import shaped, starts_for
    from counsel.models.judgements import Judged, Judgements
    from counsel.models.kernels import SquaredExponential
    from counsel.models.preference import PRIOR, fit, guesses_for, posterior

    d = given.points.shape[1]
    like = Judged(shaped(SquaredExponential(np.ones(1)), tuple(range(d))), d)
    rows = given.points[given.pairs]
    judged = Judgements.padded(rows, np.zeros(len(rows), dtype=bool), rows[:0, 0], np.zeros(0))
    guesses = guesses_for(like, (), np.random.default_rng(seed))
    found = fit(like, judged, guesses, np.asarray(starts_for(len(rows))), PRIOR)
    return np.asarray(posterior(found.kernel, found.manner, judged).predict(given.test)[0])


def with_botorch(given: Answers, seed: int) -> Points:
    import torch
    from botorch.fit import fit_gpytorch_mll
    from botorch.models.pairwise_gp import PairwiseGP, PairwiseLaplaceMarginalLogLikelihood

    torch.manual_seed(seed)
    model = PairwiseGP(torch.tensor(given.points, dtype=torch.float64), torch.tensor(given.pairs))
    fit_gpytorch_mll(PairwiseLaplaceMarginalLogLikelihood(model.likelihood, model))
    with torch.no_grad():
        return np.asarray(model.posterior(torch.tensor(given.test)).mean.squeeze(-1))


def compare(setting: Setting, seeds: int) -> list[str]:
    """One row of the table."""
    taus: dict[str, list[float]] = {"botorch": [], "counsel": []}
    seconds: dict[str, list[float]] = {"botorch": [], "counsel": []}
    makers = {"botorch": with_botorch, "counsel": with_counsel}
    first = 0.0
    for seed in range(-1, seeds):  # the seed before the first warms up
        given = answers(setting, max(seed, 0))
        for name, maker in makers.items():
            began = time.perf_counter()
            predicted = maker(given, max(seed, 0))
            took = time.perf_counter() - began
            if seed < 0:
                first = took
                continue
            seconds[name].append(took)
            taus[name].append(float(kendalltau(predicted, given.truth).statistic))
    difference = np.array(taus["counsel"]) - np.array(taus["botorch"])
    rng = np.random.default_rng(0)
    means = difference[rng.integers(0, seeds, (RESAMPLES, seeds))].mean(axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    theirs, ours = (float(np.median(seconds[name])) for name in ("botorch", "counsel"))
    return [
        setting.name,
        str(setting.answers),
        str(seeds),
        f"{np.mean(taus['botorch']):.3f}",
        f"{np.mean(taus['counsel']):.3f}",
        f"{difference.mean():+.3f}",
        f"[{low:+.3f}, {high:+.3f}]",
        f"{theirs:.3f}",
        f"{ours:.3f}",
        f"{first:.1f}",
        f"{theirs / ours:.1f}",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--markdown", type=Path, help="append the table to this file")
    given = parser.parse_args()
    console = Console()
    rows = []
    for setting in SETTINGS:
        rows.append(compare(setting, given.seeds))
        console.print(", ".join(f"{k}: {v}" for k, v in zip(HEADER, rows[-1], strict=True)))
    title = "Order recovered from comparisons, beside PairwiseGP"
    print_table(console, title, HEADER, rows)
    if given.markdown is not None:
        about = (__doc__ or "").split("\n\n", 1)[1].replace("\n", " ").strip()
        text = ["", f"## {title}", "", about, "", *markdown_table(HEADER, rows), ""]
        text += [*(f"* {line}" for line in machine()), ""]
        with given.markdown.open("a", encoding="utf-8") as page:
            page.write("\n".join(text))


if __name__ == "__main__":
    main()
