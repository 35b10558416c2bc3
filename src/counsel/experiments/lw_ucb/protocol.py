"""What the LW-UCB experiments share: three ways to fit, the methods, the controls, the notes.

"The authors' code" is theirs, faults and all (`lw_ucb.authors`), and is held against what they
recorded. "Maximum likelihood" has the paper's rules as printed under a nearly plain maximum
likelihood fit. "Counsel's fit" has them under the priors that Counsel fits with.
"""

from collections.abc import Mapping

from counsel.acquisition.improvement import EI
from counsel.acquisition.output_weighted import LWUCB, PrunedUCB
from counsel.acquisition.terms import Acquisition
from counsel.acquisition.thompson import TS
from counsel.acquisition.upper_confidence import GPUCB, VUCB
from counsel.experiments.experiment import Method
from counsel.models.kernels import WEAK, Prior

__all__ = [
    "AUTHORS",
    "CONTROLS",
    "COUNSEL",
    "KAPPAS",
    "LIKELIHOOD",
    "NOTES",
    "PRUNED",
    "RANDOM_FEATURES",
    "THOMPSON",
    "controls",
    "five",
    "pruned",
]

AUTHORS = "the authors' code"
LIKELIHOOD = "maximum likelihood"
COUNSEL = "Counsel's fit"
PRUNED = "Pruned UCB"
KAPPAS = (0.5, 1.0, 1.5, 2.0, 3.0)
CONTROLS = tuple(f"V-UCB, κ = {kappa:g}" for kappa in KAPPAS)
# An exact joint draw over thousands of arms costs a hundred times a round's other work.
THOMPSON = TS(exact=0, features=256)

RANDOM_FEATURES = (
    "Thompson sampling draws its functions from 256 random features with the exact update on the "
    "data (an exact joint draw over all the arms would take most of the time)."
)

NOTES = (
    "LW-UCB is equations (14) to (16), w relative to the uniform density (mean 1 over the arms). "
    "Pruned UCB is a variant of ours whose weight is at most 1.",
    "V-UCB with other kappas is the control: kappa moves regret more than a weight does.",
    "GP-UCB is equation (10), beta_t = 2 log(|D| t² π² / (6 δ)) with δ = 0.1; EI is equation (11) "
    "over the best payoff observed. The sd is that of the noise-free function.",
)


def _prior(group: str) -> Prior:
    return WEAK if group == LIKELIHOOD else Prior()


def five(
    group: str,
    kappa: float,
    components: int,
    elsewhere: Mapping[str, int] | None = None,
    thompson: TS = THOMPSON,
) -> tuple[Method, ...]:
    """LW-UCB and its four rivals under one fit; `elsewhere` has other numbers of components."""
    prior = _prior(group)
    other: dict[str, Acquisition] = {
        world: LWUCB(kappa, count) for world, count in (elsewhere or {}).items()
    }
    return (
        Method("LW-UCB", LWUCB(kappa, components), prior, group, other),
        Method("V-UCB", VUCB(kappa), prior, group),
        Method("GP-UCB", GPUCB(), prior, group),
        Method("EI", EI(), prior, group),
        Method("TS", thompson, prior, group),
    )


def pruned(
    kappa: float, components: int, elsewhere: Mapping[str, int] | None = None
) -> tuple[Method, ...]:
    other = {world: PrunedUCB(kappa, count) for world, count in (elsewhere or {}).items()}
    return (Method(PRUNED, PrunedUCB(kappa, components), Prior(), COUNSEL, other),)


def controls(group: str, kappa: float) -> tuple[Method, ...]:
    """V-UCB with every kappa but `kappa`, which plays as V-UCB."""
    return tuple(
        Method(name, VUCB(other), _prior(group), group)
        for name, other in zip(CONTROLS, KAPPAS, strict=True)
        if other != kappa
    )
