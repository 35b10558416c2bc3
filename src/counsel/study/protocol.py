"""The contract of a study: the one list of its verbs and properties, typed and documented.

`Study` (local) and `RemoteStudy` (over HTTP) both satisfy it.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from counsel.facts.problem import Problem
from counsel.facts.records import Value
from counsel.facts.summaries import Setup
from counsel.study.contract.beliefs import Beliefs
from counsel.study.contract.commands import Commands
from counsel.study.contract.reasons import Reasons
from counsel.study.contract.recorded import Recorded
from counsel.study.optimizing import RUNNER, Callback, Function, optimize

__all__ = ["StudyLike", "members"]


class StudyLike(Commands, Recorded, Beliefs, Reasons, Protocol):
    """People and a policy deciding together, one trial at a time."""

    @property
    def setup(self) -> Setup:
        """What the study was created with."""
        ...

    @property
    def name(self) -> str:
        return self.setup.name

    @property
    def problem(self) -> Problem:
        """What is searched and wanted today: the space is as the last amendment has it."""
        ...

    @property
    def seed(self) -> int:
        return self.setup.seed

    def optimize(
        self,
        function: Function,
        trials: int,
        *,
        executor: Any = None,
        workers: int | None = None,
        context: Mapping[str, Value] | None = None,
        actor: str = RUNNER,
        most_failures: int = 10,
        callbacks: Sequence[Callback] = (),
        progress: bool | None = None,
    ) -> None:
        """Try a function by itself until `trials` proposals of this study have been tried.

        `function` takes one dict, the values of parameters and context, and returns the objective,
        or a dict of outcomes by name. Proposals that were tried before count, so that an
        interrupted call can simply be repeated: what was under way is taken up again.

        `executor` is any `concurrent.futures` executor or a Dask client; without one the function
        runs here, one trial at a time. `workers` is how many trials run at once, by default as many
        as the executor has workers. An exception, NaN or infinity is recorded as a failed trial;
        after `most_failures` in a row the call ends with an error. Each of `callbacks` is called
        with the study and each new fact. `progress` shows a bar, by default in a terminal.
        """
        optimize(
            self,
            function,
            trials,
            executor=executor,
            workers=workers,
            context=context,
            actor=actor,
            most_failures=most_failures,
            callbacks=callbacks,
            progress=progress,
        )


def members() -> dict[str, Any]:
    """Everything in the contract, by name."""
    found: dict[str, Any] = {}
    for part in (StudyLike, Commands, Recorded, Beliefs, Reasons):
        found |= vars(part)
    return found
