"""Converts an Optuna study: its search space, and its finished trials as observations.

Features without a counterpart are refused, or left out and named in the result.
"""

import math
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from counsel.errors import InvalidInput, NotFound, install
from counsel.exchange.files import copy_study
from counsel.facts.records import PastTrial
from counsel.policies import Policy
from counsel.space import Categorical, Float, Int, Parameter, Space
from counsel.storage import Storage
from counsel.study import Study, create_study

__all__ = ["FromOptuna", "import_optuna"]


@dataclass(frozen=True)
class FromOptuna:
    """The new study, and what was left out of it."""

    study: Study
    notes: tuple[str, ...]


def import_optuna(
    source: Any,
    *,
    optuna_storage: str | None = None,
    storage: str | Storage | None = None,
    name: str | None = None,
    policy: str | Policy = "v-ucb",
    seed: int = 0,
) -> FromOptuna:
    """Create a study from an Optuna study, or from its name and `optuna_storage` address."""
    found = _load(source, optuna_storage) if isinstance(source, str) else source
    if len(found.directions) != 1:
        raise InvalidInput(
            "study", found.study_name, "It has several objectives; Counsel takes studies with one."
        )
    trials = found.get_trials(deepcopy=False)
    finished = [t for t in trials if t.state.name == "COMPLETE" and math.isfinite(t.value)]
    if not finished:
        raise InvalidInput("study", found.study_name, "It has no finished trial to learn from.")
    notes: list[str] = []
    if len(finished) < len(trials):
        notes.append(f"{len(trials) - len(finished)} trials without a finite value left out")
    parameters, fixed = _parameters(finished, notes)
    study = create_study(
        Space(**parameters),  # type: ignore[arg-type]
        name=name or found.study_name,
        direction="minimize" if found.direction.name == "MINIMIZE" else "maximize",
        policy=policy,
        seed=seed,
    )
    past = [
        PastTrial(
            values={key: value for key, value in t.params.items() if key not in fixed},
            outcomes={study.problem.objective.name: t.value},
            context={},
            actor="optuna",
            time=_utc(t.datetime_complete),
        )
        for t in finished
    ]
    study.tell_many(past)
    # Told in memory first: the copy is one transaction, so the study exists completely or not at
    # all.
    return FromOptuna(study if storage is None else copy_study(study, storage), tuple(notes))


def _load(name: str, address: str | None) -> Any:
    if address is None:
        raise InvalidInput("optuna_storage", address, "Give the address of Optuna's storage.")
    try:
        import optuna
    except ImportError:
        raise InvalidInput(
            "study", name, f"Reading Optuna's storage needs Optuna: {install('optuna')}."
        ) from None
    try:
        return optuna.load_study(study_name=name, storage=address)
    except KeyError:
        raise NotFound(f"Optuna has no study {name!r} in {address}. Check both.") from None
    except Exception as error:  # any error of its database
        raise InvalidInput("optuna_storage", address, f"It cannot be read: {error}.") from None


def _parameters(trials: list[Any], notes: list[str]) -> tuple[dict[str, Parameter], set[str]]:
    """The smallest space that all trials fit in, and the parameters that never varied."""
    names = list(trials[0].params)
    for trial in trials:
        if set(trial.params) != set(names):
            odd = sorted(set(trial.params) ^ set(names))
            raise InvalidInput(
                f"trial {trial.number}",
                odd,
                "Not all trials have these parameters, and Counsel has no conditional ones.",
            )
    found: dict[str, Parameter] = {}
    fixed: set[str] = set()
    for name in names:
        kinds = [trial.distributions[name] for trial in trials]
        if len({type(kind) for kind in kinds}) > 1:
            raise InvalidInput("parameter", name, "It has another type in other trials.")
        first = kinds[0]
        parameter: Parameter | None
        if hasattr(first, "choices"):
            choices = list(dict.fromkeys(c for kind in kinds for c in kind.choices))
            single = len(choices) == 1
            parameter = None if single else Categorical(choices)
        else:
            low, high = min(k.low for k in kinds), max(k.high for k in kinds)
            single = low == high
            kind = Int if type(first).__name__.startswith("Int") else Float
            parameter = None if single else kind(low, high, log=any(k.log for k in kinds))
            if getattr(first, "step", None) not in (None, 1):
                notes.append(f"the step {first.step} of {name!r} left out: its range is searched")
        if parameter is None:
            fixed.add(name)
            notes.append(f"{name!r} left out: it was the same in every trial")
        else:
            found[name] = parameter
    if not found:
        raise InvalidInput("parameters", names, "No parameter ever varied.")
    return found, fixed


def _utc(time: datetime | None) -> datetime | None:
    return None if time is None else time.astimezone(UTC)  # Optuna writes local time
