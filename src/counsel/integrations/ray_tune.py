"""Ray Tune: a search algorithm that proposes with Counsel.

tuner = tune.Tuner(train, param_space={"rate": tune.loguniform(1e-4, 1e-1)},
    tune_config=tune.TuneConfig(search_alg=CounselSearch(), metric="loss", mode="min",
                                num_samples=50))
"""

from pathlib import Path
from typing import Any

from counsel.errors import CounselError, InvalidInput, install
from counsel.exchange.document import from_json, to_json
from counsel.facts import codec
from counsel.facts.problem import Constraint, Direction
from counsel.integrations.suggesting import (
    Domain,
    Loop,
    Names,
    by_position,
    choice,
    interval,
    space_of,
)
from counsel.policies import Policy
from counsel.space import Space
from counsel.storage import open_storage
from counsel.study import create_study, load_study

try:
    from ray.tune.search import Searcher, sample
    from ray.tune.search.variant_generator import assign_value, parse_spec_vars
except ImportError:
    raise CounselError(f"CounselSearch needs Ray Tune: {install('ray')}.") from None

__all__ = ["CounselSearch"]


class CounselSearch(Searcher):
    """Takes the space from the tuner's `param_space`; learns the metrics in `constraints` too."""

    def __init__(
        self,
        *,
        metric: str | None = None,
        mode: str | None = None,
        constraints: tuple[Constraint, ...] = (),
        policy: str | Policy | None = None,
        seed: int = 0,
    ) -> None:
        super().__init__(metric=metric, mode=mode)
        self._constraints = constraints
        self._policy = policy
        self._seed = seed
        self._config: dict[str, Any] = {}
        self._domains: dict[str, Domain] = {}
        self._paths: dict[str, tuple[str, ...]] = {}
        self._loop: Loop | None = None

    def set_search_properties(
        self, metric: str | None, mode: str | None, config: dict[str, Any], **spec: Any
    ) -> bool:
        if self._loop is not None:
            return False
        self._metric: str | None = metric or self._metric
        self._mode: str | None = mode or self._mode
        _, domains, grids = parse_spec_vars(config)
        if grids or not domains:
            raise InvalidInput(
                "param_space", config, "Use tune.uniform, randint, choice or the like."
            )
        self._config = config
        self._paths = {"/".join(map(str, path)): tuple(path) for path, _ in domains}
        self._domains = {"/".join(map(str, path)): _domain(each) for path, each in domains}
        direction: Direction = "minimize" if self._mode == "min" else "maximize"
        self._names = Names(list(self._domains), taken=[str(self._metric)])
        study = create_study(
            space_of(self._domains, self._names),
            objective=str(self._metric),
            direction=direction,
            constraints=self._constraints,
            policy=self._policy,
            seed=self._seed,
        )
        self._loop = Loop(study, "ray")
        return True

    @property
    def study(self) -> Any:
        """The study behind the search, to explain and plot."""
        return None if self._loop is None else self._loop.study

    def suggest(self, trial_id: str) -> dict[str, Any] | None:
        if self._loop is None:
            raise CounselError("No search space yet. Give the tuner a param_space.")
        proposal = self._loop.suggest(trial_id)
        found: dict[str, Any] = _copied(self._config)
        for name, each in proposal.values.items():
            theirs = self._names.there[name]
            assign_value(found, self._paths[theirs], self._domains[theirs].there(each))
        return found

    def on_trial_complete(
        self, trial_id: str, result: dict[str, Any] | None = None, error: bool = False
    ) -> None:
        if self._loop is None or trial_id not in self._loop.running:
            return
        if error or result is None:
            self._loop.fail(trial_id, "the trial raised an error")
            return
        wanted = [str(self._metric), *(each.name for each in self._constraints)]
        self._loop.ingest(trial_id, None, {name: result.get(name) for name in wanted})

    def save(self, checkpoint_path: str) -> None:
        assert self._loop is not None
        study = self._loop.study
        running = {key: each.id for key, each in self._loop.running.items()}
        text = codec.to_text({"running": running, "study": to_json(study.setup, study.facts)})
        Path(checkpoint_path).write_text(text, encoding="utf-8")

    def restore(self, checkpoint_path: str) -> None:
        assert self._loop is not None, "Tune sets the search space before it restores."
        kept = codec.from_text("checkpoint", Path(checkpoint_path).read_text(encoding="utf-8"))
        setup, facts = from_json(kept["study"])
        storage = open_storage(None)
        storage.create(setup, facts)
        space = setup.problem.space
        assert isinstance(space, Space)
        for name, domain in self._domains.items():
            if space.parameters[self._names.here[name]] != domain.parameter:
                self._domains[name] = by_position(domain)
        self._loop = Loop(load_study(setup.name, storage), "ray")
        self._loop.running = {
            key: self._loop.study.proposal(each) for key, each in kept["running"].items()
        }


def _domain(domain: Any) -> Domain:
    sampler, step = domain.get_sampler(), None
    if isinstance(sampler, sample.Quantized):
        sampler, step = sampler.get_sampler(), sampler.q
    log = isinstance(sampler, sample.LogUniform)
    match domain:
        case sample.Categorical():
            return choice(domain.categories)
        case sample.Float() if isinstance(sampler, sample.Uniform | sample.LogUniform):
            return interval(domain.lower, domain.upper, log=log, step=None if log else step)
        case sample.Integer():  # Tune's upper bound is left out, unless it is quantized
            high = domain.upper if step else domain.upper - 1
            return interval(domain.lower, high, whole=True, log=log, step=None if log else step)
    raise InvalidInput("param_space", domain, "Use bounded floats, integers and choices.")


def _copied(config: Any) -> Any:
    """A copy of the nested dicts, with the same values."""
    if isinstance(config, dict):
        return {key: _copied(each) for key, each in config.items()}
    return config
