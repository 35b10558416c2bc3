"""Creating, opening, listing and deleting studies."""

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

from counsel.errors import Conflict, InvalidInput
from counsel.facts import codec
from counsel.facts.aliases import began_with
from counsel.facts.checks import check_name, check_whole
from counsel.facts.kept import Kept
from counsel.facts.lines import problem_words
from counsel.facts.problem import Constraint, Direction, Objective, Problem, Tradeoff, check_lengths
from counsel.facts.summaries import Setup, Summary
from counsel.policies import Policy, by_name
from counsel.policies.description import Undescribed, describe, unregistered
from counsel.policies.failing import BOUND_WEIGHT, GAIN_WEIGHT, LEAST_SHARE
from counsel.policies.registry import PolicyEntry, check, find
from counsel.space import AnySpace
from counsel.storage import MemoryStorage, Storage, open_storage
from counsel.storage.contract import KeyReused, Request
from counsel.storage.ledger import digest
from counsel.study.commands import check_key, now
from counsel.study.proposing import Choose
from counsel.study.study import Study

# What a policy by name gets; the class has the values of studies that were stored without these.
_USUAL = {"tried": True, "least_share": LEAST_SHARE, "pooled": True, "at_once": True}
# The team whose claims proposals are made with.
_ADVISED = "fused"

__all__ = ["create_study", "delete_study", "list_studies", "load_study"]


def create_study(
    space: AnySpace,
    *,
    name: str = "study",
    direction: Direction = "maximize",
    objective: str = "objective",
    objectives: Sequence[Objective] = (),
    tradeoff: Tradeoff = "weights",
    constraints: Sequence[Constraint] = (),
    policy: str | Policy | None = None,
    seed: int = 0,
    team: str | None = None,
    storage: str | Storage | None = None,
    load_if_exists: bool = False,
    idempotency_key: str | None = None,
    **settings: Any,
) -> Study:
    """Create a study that searches `space` subject to `constraints`.

    Without a `policy`, `policies.default` chooses one for the problem, and the first proposal's
    note says which and why. The objective "preference" is never measured: people compare two
    proposals at a time (`first, second = study.ask(2)`), and the policy is "preference".

    Several `objectives` are measured together. One with a bound is a constraint too; those without
    are weighed, and `objective` is what their weighted sum is called. With the `tradeoff`
    "comparisons", the weights are learned: tell what was measured, then `compare` two trials.

    Further keywords are the policy's settings: `policy="v-ucb", kappa=3, initial=8`. `kernel` may
    be a name ("matern", "squared-exponential"), `noise` is the expected share of noise in the
    outputs' variance.

    `team` is the rule that decides, in `study.decide`, between a proposal and what a person would
    try instead. "fused" is ours; `counsel.teams.deciding.teams` lists them all.

    `storage` is where it is kept: None for this process's memory, "sqlite:///file.db", or
    "postgresql://user:password@host/database" for many people and machines. With
    `load_if_exists`, an existing study of this name is opened if it was created alike. An
    `idempotency_key` that has already created a study opens that study.

    Example:
        >>> import counsel as cs
        >>> study = cs.create_study(cs.Space(x=cs.Float(0, 1)), policy="ei", seed=1)
        >>> proposal = study.ask()
        >>> _ = study.tell(proposal, 0.5)
    """
    check_name("study", name)
    if not isinstance(load_if_exists, bool):
        raise InvalidInput("load_if_exists", load_if_exists, "Give true or false.")
    check_whole("seed", seed, least=0, most=2**63 - 1)
    check_name("objective", objective)
    if isinstance(constraints, str | Mapping) or not isinstance(constraints, Iterable):
        raise InvalidInput("constraints", constraints, "Give a list of counsel.Constraint.")
    if isinstance(objectives, str | Mapping) or not isinstance(objectives, Iterable):
        raise InvalidInput("objectives", objectives, "Give a list of counsel.Objective.")
    problem = Problem(
        space, Objective(objective, direction), tuple(constraints), tuple(objectives), tradeoff
    )
    if problem.tradeoff == "comparisons" and any(each.weight != 1.0 for each in problem.parts):
        raise InvalidInput("objectives", list(objectives), "The weights are learned: give none.")
    check_lengths(problem)
    version = 1 if team is None else _check_team(team, problem)
    chosen = _policy(policy, problem, settings, advised=team == _ADVISED)
    store = open_storage(storage)
    setup = Setup(
        name=name,
        problem=problem,
        policy_name=chosen.name,
        policy=_described(chosen, store),
        seed=int(seed),
        created=now(),
        team=team,
        team_version=version,
    )
    try:
        number = store.create(setup, request=_request(idempotency_key, setup))
        if idempotency_key is not None:  # it may already exist
            setup = store.find(name)[1]
        return Study(setup, store, number, chosen)
    except Conflict as conflict:
        if not load_if_exists or isinstance(conflict, KeyReused):
            raise
    number, found = store.find(name)
    # A policy given by name, or not at all, is the one that the study began with, even if the name
    # or the default means something else today.
    named = policy is None or (isinstance(policy, str) and found.policy_name == chosen.name)
    if named and not settings:
        _refuse_if_different(found, dataclasses.replace(setup, policy=found.policy))
        return Study(found, store, number)
    _refuse_if_different(found, setup)
    return Study(found, store, number, chosen if found.policy == setup.policy else None)


def load_study(
    name: str,
    storage: str | Storage,
    *,
    policy: Policy | None = None,
    chooser: Callable[[Setup], Choose] | None = None,
    computing: AbstractContextManager[object] | None = None,
    kept: Kept | None = None,
) -> Study:
    """Open an existing study.

    Its policy is rebuilt from its stored description. A policy whose class is not registered must
    be passed in, and must be the same. Settings that the study was made without are left as they
    were then, whatever they are in the policy that is passed in. `chooser`, `computing` and `kept`
    are for a service that computes proposals elsewhere: see `Study`.
    """
    check_name("study", name)
    store = _existing(storage)
    number, setup = store.find(name)
    if policy is not None:
        given = _described(policy, store)
        if not began_with(setup.policy, given):
            raise Conflict(
                f"Study {name!r} was created with another policy: {setup.policy}.", setup
            )
        policy = policy if given == setup.policy else None
    choose = None if chooser is None else chooser(setup)
    return Study(setup, store, number, policy, choose=choose, computing=computing, kept=kept)


def list_studies(storage: str | Storage, *, archived: bool = False) -> list[Summary]:
    """The studies in a storage, oldest first; with `archived`, also the archived ones."""
    found = _existing(storage).summaries()
    return [each for each in found if archived or not each.archived]


def delete_study(name: str, storage: str | Storage) -> None:
    """Delete a study and all its facts, permanently."""
    _existing(storage).delete(name)


def _policy(
    policy: str | Policy | None, problem: Problem, settings: Mapping[str, Any], *, advised: bool
) -> Policy:
    """The policy of a new study; with `advised`, one that takes claims for data if it can."""
    if policy is None:
        from counsel.policies.default import default_policy  # imports the numerical core

        if advised and not problem.objective.preferred:
            settings = {"advised": True, **settings}
        policy = default_policy(problem, **settings)
    elif isinstance(policy, str):
        entry = find(policy)
        known = () if entry is None else entry.settings
        wanted = {**_USUAL, **_weights(entry, problem), **({"advised": True} if advised else {})}
        usual = {name: each for name, each in wanted.items() if name in known}
        policy = by_name(policy, **{**usual, **settings})
    elif settings:
        raise InvalidInput(
            "settings", sorted(settings), "A policy that is an object has its own; give its name."
        )
    if isinstance(policy, type) or not isinstance(policy, Policy):
        raise InvalidInput(
            "policy", policy, "Give a policy's name, or an object with name, propose and predict."
        )
    check(policy, problem)
    return policy


def _weights(entry: PolicyEntry | None, problem: Problem) -> dict[str, Any]:
    """How chances count beside what a policy maximises."""
    gaining = getattr(getattr(entry, "thing", None), "gaining", False)
    if problem.constraints:
        careful = {"multiplied": True, "wary": True}
        return {**careful, "working": GAIN_WEIGHT} if gaining else careful
    return {"feasibility": GAIN_WEIGHT if gaining else BOUND_WEIGHT}


def _check_team(team: str, problem: Problem) -> int:
    """The version of this rule that a new study has."""
    from counsel.teams.deciding import VERSIONS, numeric, teams

    teams.get(team)
    if team == "ratio" and len(numeric(problem.space)) < 2:
        raise InvalidInput(
            "team", team, "It needs two parameters that are numbers: use 'shapley' or 'fused'."
        )
    return VERSIONS.get(team, 1)


def _request(key: str | None, setup: Setup) -> Request | None:
    if check_key(key) is None:
        return None
    asked = {name: each for name, each in codec.write(setup).items() if name != "created"}
    return Request(str(key), digest("create", asked))


def _existing(storage: str | Storage) -> Storage:
    """An existing storage; looking into it creates nothing."""
    if storage is None:
        raise InvalidInput("storage", storage, "Give the storage that the study was created in.")
    return open_storage(storage, create=False)


def _described(policy: Policy, storage: Storage) -> dict[str, Any]:
    """The policy as data. Memory keeps the object itself and does not need it."""
    try:
        return describe(policy)
    except Undescribed as part:
        if isinstance(storage, MemoryStorage):
            return unregistered(policy)
        raise InvalidInput(
            "policy",
            policy,
            f"{part} cannot be stored. Make it a dataclass of numbers, strings, arrays and other "
            "such dataclasses, or use storage=None.",
        ) from None


def _refuse_if_different(found: Setup, wanted: Setup) -> None:
    for field in ("problem", "policy", "seed", "team"):
        there, here = getattr(found, field), getattr(wanted, field)
        if there != here and not (field == "policy" and began_with(there, here)):
            if isinstance(there, Problem):
                there, here = problem_words(there), problem_words(here)
            elif field == "policy" and found.policy_name != wanted.policy_name:
                there, here = found.policy_name, wanted.policy_name
            raise Conflict(
                f"Study {found.name!r} already exists, with another {field}: {there}, not "
                f"{here}. Give the same one, or another name.",
                found,
            )
