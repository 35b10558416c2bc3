"""The protocol that every policy follows.

A policy is a frozen object and remembers nothing: its state *is* the history, so a study is a fold
over facts and replaying them gives the same proposals.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from counsel.facts.history import Array, History
from counsel.facts.problem import Problem
from counsel.facts.records import Prediction

if TYPE_CHECKING:
    from counsel.models.mixture import Fits, Mixture


@dataclass(frozen=True, slots=True)
class Choice:
    """What a policy answers: a point of the space, and why.

    `point` is encoded without the context; over arms, `arm` is its index. `asks` names the
    constraints worth asking about here, `chances` how likely each of them holds.
    """

    point: Array
    arm: int | None = None
    mean: float | None = None
    sd: float | None = None
    limit: float | None = None
    terms: Mapping[str, float] = field(default_factory=dict)
    theta: tuple[float, ...] = ()
    asks: tuple[str, ...] = ()
    note: str = ""
    chances: Mapping[str, float] = field(default_factory=dict)


@runtime_checkable
class Policy(Protocol):
    """A decision rule."""

    @property
    def name(self) -> str: ...

    def propose(self, problem: Problem, history: History) -> Choice:
        """Choose the next point. Raises NothingToPropose when none is left."""
        ...

    def predict(self, problem: Problem, history: History, points: Array) -> list[Prediction] | None:
        """The beliefs at encoded points (context columns last), or None without beliefs."""
        ...


@runtime_checkable
class Particular(Protocol):
    """A policy that does not accept every problem."""

    def check(self, problem: Problem) -> None:
        """Refuse, with InvalidInput, a problem that this policy could not propose for."""
        ...


@runtime_checkable
class Scoring(Protocol):
    """A policy that can say what it maximises, which is all that an explanation needs."""

    def score(
        self, problem: Problem, history: History, theta: tuple[float, ...] = ()
    ) -> object | None:
        """The round's score (`acquisition.Score`), or None before there is anything to score.

        `theta` is the fit that a proposal recorded; without it, the history is fitted again.
        """
        ...


@runtime_checkable
class Doubting(Scoring, Protocol):
    """A policy that can say what it would maximise under other fits, and with fewer trials."""

    def other_fits(
        self, problem: Problem, history: History, theta: tuple[float, ...], count: int
    ) -> list[tuple[float, ...]]:
        """Other fits to the objective, drawn by how plausible they are."""
        ...

    def score_from(
        self, problem: Problem, history: History, less: History, theta: tuple[float, ...]
    ) -> object:
        """What is maximised if the objective is believed from `less`, and constraints from all."""
        ...


@runtime_checkable
class Spreading(Protocol):
    """A policy whose first trials, which record no terms, keep away from what was tried."""

    def taken(self, problem: Problem, history: History) -> Array:
        """The points that a first trial keeps away from, without the context's columns."""
        ...


@runtime_checkable
class Feasibility(Protocol):
    """A policy with beliefs about constraints."""

    def chances(self, problem: Problem, history: History, points: Array) -> Array:
        """The probability of each constraint at encoded points (n, N), in the problem's order."""
        ...


@runtime_checkable
class Working(Protocol):
    """A policy that learns from failed trials how likely others are to work."""

    def working_chances(self, problem: Problem, history: History, points: Array) -> Array | None:
        """That chance at encoded points (n, N); None where no trial failed, or where a constraint
        has its name."""
        ...


@runtime_checkable
class Noisy(Protocol):
    """A policy that believes something of how far repeated trials differ."""

    def noise(self, problem: Problem, history: History, points: Array, payoffs: Array) -> Array:
        """The sd of repeated trials at encoded points (context columns last) where so much is
        expected, if there are observations."""
        ...


@runtime_checkable
class Weighing(Protocol):
    """A policy that may weigh exploration by how rare a predicted payoff is."""

    @property
    def weighs(self) -> bool:
        """Whether it does."""
        ...

    def weights(self, problem: Problem, history: History, points: Array) -> Array:
        """The weight at encoded points (context columns last), if there are observations."""
        ...


@runtime_checkable
class Questions(Protocol):
    """A policy that asks about one constraint after another."""

    def question(
        self, problem: Problem, history: History, point: Array, answers: Mapping[str, float]
    ) -> str | None:
        """The constraint to ask about next at a point (context columns last), or None for no more.

        `answers` are the margins given there so far; `history` does not hold them yet.
        """
        ...


@runtime_checkable
class SafeSets(Protocol):
    """A policy that keeps a safe set."""

    def safe_sets(self, problem: Problem, history: History) -> Array | None:
        """After each trial (n, 2): the shares of points that are known to be and may be safe."""
        ...


@runtime_checkable
class Checking(Protocol):
    """Offered by a policy that can predict each measurement from the others."""

    def left_out(self, problem: Problem, history: History) -> tuple[Array, Array, Array]:
        """The objective's measurements (n,), and mean and sd of each under all others.

        Mean and sd are NaN for measurements that the policy does not check.
        """
        ...


@runtime_checkable
class Joint(Protocol):
    """A policy with joint beliefs about several points."""

    def joint(self, problem: Problem, history: History, points: Array) -> tuple[Array, Array]:
        """Mean (n,) and covariance (n, n) of the objective at encoded points."""
        ...


@runtime_checkable
class OpenToNoise(Protocol):
    """A policy that proposes as if measurements were exact, and can also believe they are not."""

    def open_to_noise(self) -> "Policy | None":
        """The same policy where it leaves to the data how noisy they are; None if it does so."""
        ...


@runtime_checkable
class JointByFit(Joint, Protocol):
    """A policy that has them under several fits."""

    def joint_by_fit(
        self, problem: Problem, history: History, points: Array, fits: "Fits"
    ) -> "Mixture":
        """The objective at encoded points under each fit, as if no trial were under way."""
        ...


@runtime_checkable
class Drawing(Protocol):
    """A policy whose joint beliefs are not Gaussian, so that moments alone would mislead."""

    def draws(self, problem: Problem, history: History, points: Array, normals: Array) -> Array:
        """The objective at encoded points (n, d), one row for each row of normals (k, n)."""
        ...
