"""What the LW-UCB experiments share: the two protocols, the five methods, the known differences.

"The authors' protocol" is theirs as far as a right implementation can follow: nearly plain maximum
likelihood (weak priors), the paper's output weight. "Counsel's fit" is what `create_study` does.
"""

from collections.abc import Mapping

from counsel.acquisition.improvement import AugmentedEI
from counsel.acquisition.output_weighted import LWUCB, PrunedUCB
from counsel.acquisition.terms import Acquisition
from counsel.acquisition.thompson import TS
from counsel.acquisition.upper_confidence import GPUCB, VUCB
from counsel.experiments.experiment import Method
from counsel.models.kernels import WEAK, Prior

__all__ = [
    "AUTHORS",
    "COUNSEL",
    "NOTES",
    "OUR_WEIGHT",
    "RANDOM_FEATURES",
    "REASONS",
    "THOMPSON",
    "five",
]

AUTHORS = "authors' protocol"
COUNSEL = "Counsel's fit"
# An exact joint draw over thousands of arms costs a hundred times a round's other work.
THOMPSON = TS(exact=0, features=256)

REASONS: Mapping[str, str] = {
    "EI": "the authors' code drops a term of EI where the mean is below the best; ours has it",
}

RANDOM_FEATURES = (
    "Thompson sampling draws its functions from 256 random features with the exact update on the "
    "data (an exact joint draw over all the arms would take most of the time)."
)

# Every report in which Counsel's own LW-UCB plays says so.
OUR_WEIGHT = (
    "Under Counsel's fit, LW-UCB's weight is ours, not the paper's: means count by their rank, the "
    "fitted mixture is divided by one fitted to the inputs alone, and the weight never exceeds 1: "
    "nowhere does it explore more than V-UCB, and less where payoffs are believed to be ordinary. "
    "It is the policy pruned-ucb; the paper's is lw-ucb."
)

NOTES = (
    "GP-UCB is equation (10) of the paper, beta_t = 2 log(|D| t² π² / (6 δ)) with δ = 0.1; the "
    "authors' code uses (2/5) log(t² π² / (6 δ)), without the number of arms |D|, and explores "
    "less.",
    "The authors' sd includes the noise; ours is that of the noise-free function.",
    "EI is augmented for noise and improves on the best posterior mean (the policy augmented-ei); "
    "the paper's equation (11), the policy ei, improves on the best payoff observed.",
)


def five(
    group: str,
    kappa: float,
    weighted: LWUCB | PrunedUCB,
    elsewhere: Mapping[str, Acquisition] | None = None,
    thompson: TS = THOMPSON,
) -> tuple[Method, ...]:
    """LW-UCB and its four rivals under one protocol; `elsewhere` is LW-UCB by world."""
    prior = WEAK if group == AUTHORS else Prior()
    return (
        Method("LW-UCB", weighted, prior, group, elsewhere or {}),
        Method("V-UCB", VUCB(kappa), prior, group),
        Method("GP-UCB", GPUCB(), prior, group),
        Method("EI", AugmentedEI(), prior, group),
        Method("TS", thompson, prior, group),
    )
