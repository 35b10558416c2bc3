"""What a study believes."""

from collections.abc import Iterable, Mapping
from typing import Protocol

from counsel.facts.history import Array
from counsel.facts.records import Prediction, Value
from counsel.facts.safety import SafeSet
from counsel.facts.summaries import Best, Front, Outlook

__all__ = ["Beliefs"]


class Beliefs(Protocol):
    """What is expected of points, and how much is still to be gained."""

    @property
    def best(self) -> Best | None:
        """The best trial so far, or None.

        Under noise the largest value is often just the luckiest, so a policy with beliefs chooses
        the trial by its believed payoff; `value` is what was measured there, on average if it was
        measured several times. With constraints it is
        the certified trial whose payoff has the largest lower bound, and `certified` is True. If no
        trial is certified, it is one that a person declared safe (`declared`), or else the one
        where all constraints most likely hold; `chance` gives the probability.
        """
        ...

    def predict(
        self,
        values: Mapping[str, Value],
        *,
        context: Mapping[str, Value] | None = None,
        noise: bool = False,
    ) -> Prediction | None:
        """The belief about the objective at a point; None before any observation.

        With `noise` it is about one measurement there: that repeated trials differ counts too.
        """
        ...

    def predict_many(
        self,
        many: Iterable[Mapping[str, Value]],
        *,
        context: Mapping[str, Value] | None = None,
        noise: bool = False,
    ) -> list[Prediction] | None:
        """The beliefs at several points, from one posterior."""
        ...

    def chances(
        self, values: Mapping[str, Value], *, context: Mapping[str, Value] | None = None
    ) -> dict[str, float]:
        """The probability that each constraint holds at a point and, once trials have failed, that
        a trial works there ("success"); empty while nothing is known."""
        ...

    def weight(
        self, values: Mapping[str, Value], *, context: Mapping[str, Value] | None = None
    ) -> float | None:
        """The output weight w of `lw-ucb` at a point; None before any observation.

        It averages 1 over the space, and is large where the predicted payoff is rare.
        """
        found = self.weights([values], context=context)
        return None if found is None else found[0]

    def weights(
        self, many: Iterable[Mapping[str, Value]], *, context: Mapping[str, Value] | None = None
    ) -> list[float] | None:
        """The output weights at several points, from one posterior."""
        ...

    def front(self) -> Front:
        """The trials that no other one beats in every objective, and what objectives are worth.

        Trials are compared by what was measured, noise included. With one objective it is the best
        measurement.
        """
        ...

    def outlook(
        self, *, worth: float | None = None, context: Mapping[str, Value] | None = None
    ) -> Outlook:
        """How much is still to be gained, and whether the model predicts what was measured.

        `worth` is a gain that another trial would be worth, in the objective's units; by default a
        twentieth of the range of what was measured.
        """
        ...

    def safe_set(self, *, context: Mapping[str, Value] | None = None) -> SafeSet:
        """The points where all constraints are certified to hold, with their bounds.

        Over arms these are arms; in a box, tried points and a sample of the rest, with the ranges
        that they lie in.
        """
        ...

    def safe_sets(self) -> Array:
        """After each trial (n, 2): the share of points known to be safe, and the share that may be.

        Shares after earlier trials are computed with today's model.
        """
        ...
