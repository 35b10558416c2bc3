"""Learning constraints beside SafeOpt and BoTorch: `python -m benchmarks.constraints`.

Driving and three invented worlds, the same instances, noise and safe arm to start from for all.
SafeOpt (Berkenkamp et al.) stays within what its bounds allow; it does not fit hyper-parameters,
so it is given the noise and the length-scales that Counsel expects. BoTorch maximises the
constrained log noisy expected improvement over all arms (`qLogNoisyExpectedImprovement`), its
models fitted in every round up to the tenth and in every fifth after. Both are told every
constraint of every trial; DMCL, as it ships, asks. In the end all name the arm they would choose.

A finished run is a line of `--out`, and is not played again. SafeOpt is of 2018 and needs GPy:
`pip install --no-deps safeopt==0.16`, beside `benchmarks/requirements.txt`.
"""

import argparse
import collections.abc
import json
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from rich.console import Console

from benchmarks.report import markdown_table, print_table
from counsel.experiments.dmcl.studies import NOISE_STREAM, Played, play
from counsel.experiments.regrets import interval
from counsel.experiments.statistics import average, paired
from counsel.policies.dmcl import DMCL
from counsel.worlds.constrained import ConstrainedWorld
from counsel.worlds.driving import driving
from counsel.worlds.invented import INVENTED

WORLDS: dict[str, Callable[[int], ConstrainedWorld]] = {"Driving": driving, **INVENTED}
# Fresh instances, those of `counsel reproduce dmcl/results`.
FIRST, ROUNDS = 9000, 40
HEADER = ["world", "method", "runs", "regret", "less ours", "unsafe trials", "answers", "best arm"]
OURS = "DMCL"


class Rival(Protocol):
    """One that is told all outcomes of every trial."""

    def tell(self, arm: int, outcomes: np.ndarray) -> None: ...

    def ask(self) -> int: ...

    def advise(self) -> int:
        """The arm that it would choose in the end."""


class SafeOptRival:
    """SafeOpt over the arms: Matern-5/2, bounds of two sds (its default)."""

    def __init__(self, world: ConstrainedWorld) -> None:
        # It is older than Python 3.10 and NumPy 1.24, which took these names away.
        old = ((collections, "Sequence", collections.abc.Sequence), (np, "float", float))
        for module, name, meant in old:
            if not hasattr(module, name):
                setattr(module, name, meant)
        import GPy
        import safeopt

        self.points, self.start = world.space.points, world.start
        self.models: list[Any] = []
        self.search: Any = None
        d = self.points.shape[1]

        def model(x: np.ndarray, y: np.ndarray) -> Any:
            kernel = GPy.kern.Matern52(d, variance=2.0, lengthscale=0.5 * np.sqrt(d), ARD=True)
            return GPy.models.GPRegression(x, y, kernel, noise_var=world.noise**2)

        self._model, self._safeopt = model, safeopt.SafeOpt

    def tell(self, arm: int, outcomes: np.ndarray) -> None:
        x = self.points[[arm]]
        if self.search is None:
            self.models = [self._model(x, np.array([[each]])) for each in outcomes]
            least = [-np.inf, *(0.0 for _ in outcomes[1:])]
            self.search = self._safeopt(self.models, self.points, least, threshold=0.1)
        else:
            self.search.add_new_data_point(x, outcomes[None, :])

    def ask(self) -> int:
        try:
            return self._arm(self.search.optimize())
        except OSError:  # "There are no safe points to evaluate."
            return self.start

    def advise(self) -> int:
        found = self.search.get_maximum()
        return self.start if found is None else self._arm(found[0])

    def _arm(self, point: np.ndarray) -> int:
        return int(np.argmin(((self.points - np.asarray(point).ravel()) ** 2).sum(axis=1)))


class BotorchRival:
    """Constrained qLogNEI over the arms; it would choose the best mean where all means hold."""

    def __init__(self, world: ConstrainedWorld) -> None:
        import torch

        torch.set_default_dtype(torch.double)
        torch.set_num_threads(1)
        warnings.simplefilter("ignore")
        self.points, self.start = torch.from_numpy(np.array(world.space.points)), world.start
        self.arms: list[int] = []
        self.seen: list[np.ndarray] = []
        self.states: list[Any] = []

    def tell(self, arm: int, outcomes: np.ndarray) -> None:
        self.arms.append(arm)
        self.seen.append(outcomes)

    def _model(self) -> Any:
        import torch
        from botorch.exceptions import ModelFittingError
        from botorch.fit import fit_gpytorch_mll
        from botorch.models import ModelListGP, SingleTaskGP
        from gpytorch.mlls import ExactMarginalLogLikelihood

        x, y = self.points[self.arms], torch.from_numpy(np.stack(self.seen))
        # A margin's threshold must stay 0: models standardise and give back the units.
        models = [SingleTaskGP(x, y[:, [i]]) for i in range(y.shape[1])]
        if len(self.arms) <= 10 or len(self.arms) % 5 == 0:
            for model in models:
                try:
                    fit_gpytorch_mll(ExactMarginalLogLikelihood(model.likelihood, model))
                except ModelFittingError:
                    model.eval()  # go on with the initial hyper-parameters
            self.states = [_fit(model) for model in models]
        else:
            for model, state in zip(models, self.states, strict=True):
                model.load_state_dict(state, strict=False)
        return ModelListGP(*models).eval()

    def ask(self) -> int:
        import torch
        from botorch.acquisition.logei import qLogNoisyExpectedImprovement
        from botorch.acquisition.objective import GenericMCObjective
        from botorch.sampling.normal import SobolQMCNormalSampler

        if len(self.arms) < 2:  # a model of one trial cannot be standardised
            return (self.start + 1) % len(self.points)
        model = self._model()
        rule = qLogNoisyExpectedImprovement(
            model,
            self.points[self.arms],
            sampler=SobolQMCNormalSampler(torch.Size([64]), seed=len(self.arms)),
            objective=GenericMCObjective(lambda Z, X=None: Z[..., 0]),
            constraints=[(lambda Z, i=i: -Z[..., i]) for i in range(1, len(self.seen[0]))],
            prune_baseline=True,
        )
        with torch.no_grad():
            return int(rule(self.points.unsqueeze(1)).argmax())

    def advise(self) -> int:
        import torch

        model = self._model()
        with torch.no_grad():
            means = model.posterior(self.points).mean.numpy()
        holds = (means[:, 1:] >= 0.0).all(axis=1)
        if not holds.any():
            return self.start
        return int(np.argmax(np.where(holds, means[:, 0], -np.inf)))


def _fit(model: Any) -> dict[str, Any]:
    """The hyper-parameters without the units of the outcome, which new trials change."""
    kept = {"likelihood", "mean_module", "covar_module"}
    return {k: v for k, v in model.state_dict().items() if k.split(".")[0] in kept}


RIVALS: dict[str, Callable[[ConstrainedWorld], Rival]] = {
    "SafeOpt": SafeOptRival,
    "BoTorch qLogNEI": BotorchRival,
}


@dataclass(frozen=True)
class Run:
    world: str
    method: str
    seed: int
    rounds: int
    regret: float
    unsafe: int
    answers: int
    found: bool
    advised_safe: bool


def played(world: str, method: str, seed: int, rounds: int) -> Run:
    instance = WORLDS[world](FIRST + seed)
    if method == OURS:
        rows = play(Played(DMCL()), instance, rounds, seed)
        arms, answers = rows["arm"].to_numpy(), int(rows["asked"].sum())
        advised = int(rows["advised"].iloc[-1])
    else:
        rng = np.random.default_rng([seed, NOISE_STREAM])
        noise = rng.normal(0.0, instance.noise, (rounds, len(instance.payoffs)))
        rival, chosen = RIVALS[method](instance), []
        for t in range(rounds):
            arm = rival.ask() if t else instance.start
            rival.tell(arm, instance.payoffs[:, arm] + noise[t])
            chosen.append(arm)
        arms, answers = np.array(chosen), rounds * len(instance.constraints)
        advised = rival.advise()
    unsafe = int((~instance.safe[arms]).sum())
    regret = float(instance.regrets[arms].sum())
    sound = bool(instance.safe[advised])
    return Run(
        world, method, seed, rounds, regret, unsafe, answers, advised == instance.best, sound
    )


def kept(out: Path) -> list[Run]:
    if not out.exists():
        return []
    return [Run(**json.loads(line)) for line in out.read_text(encoding="utf-8").splitlines()]


def rows_of(runs: list[Run], rounds: int) -> list[list[str]]:
    """A row for each world and method; differences are over the instances that both played."""
    found = []
    for world in WORLDS:
        mine = {r.seed: r for r in runs if (r.world, r.method, r.rounds) == (world, OURS, rounds)}
        for method in (OURS, *RIVALS):
            theirs = {
                r.seed: r for r in runs if (r.world, r.method, r.rounds) == (world, method, rounds)
            }
            if not theirs:
                continue
            both = sorted(set(mine) & set(theirs))
            less = "–"
            if method != OURS and len(both) > 1:
                pairs = np.array([[theirs[s].regret, mine[s].regret] for s in both])
                less = interval(paired(pairs[:, 0], pairs[:, 1]).mean)
            runs_of = list(theirs.values())
            wrong = sum(not r.advised_safe for r in runs_of)
            found.append(
                [
                    world,
                    method,
                    str(len(runs_of)),
                    interval(average(np.array([r.regret for r in runs_of]))),
                    less,
                    interval(average(np.array([float(r.unsafe) for r in runs_of]))),
                    f"{np.mean([r.answers for r in runs_of]):.0f}",
                    f"{np.mean([r.found for r in runs_of]):.0%}"
                    + (f", unsafe in {wrong}" if wrong else ""),
                ]
            )
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--instances", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--with", dest="methods", action="append", choices=[OURS, *RIVALS])
    parser.add_argument("--world", dest="worlds", action="append", choices=list(WORLDS))
    parser.add_argument("--out", type=Path, default=Path("benchmarks/.cache/constraints.jsonl"))
    parser.add_argument("--markdown", type=Path, help="append the table to this page")
    given = parser.parse_args()
    done = {(r.world, r.method, r.seed, r.rounds) for r in kept(given.out)}
    given.out.parent.mkdir(parents=True, exist_ok=True)
    for seed in range(given.instances):
        for world in given.worlds or WORLDS:
            for method in given.methods or (OURS, *RIVALS):
                if (world, method, seed, given.rounds) in done:
                    continue
                run = played(world, method, seed, given.rounds)
                with given.out.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(run.__dict__) + "\n")
    rows = rows_of(kept(given.out), given.rounds)
    print_table(Console(), f"Constraints, {given.rounds} trials", HEADER, rows)
    if given.markdown:
        with given.markdown.open("a", encoding="utf-8") as page:
            page.write("\n".join(["", *markdown_table(HEADER, rows), ""]))


if __name__ == "__main__":
    main()
