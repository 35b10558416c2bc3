"""MCL: learn every constraint with a model of its own, asking about all of them in every trial.

Sets, bounds and phases are those of `policies.dmcl`; the outcomes are independent (rank 0). It is
the baseline for asking less.
"""

from counsel.policies.dmcl import DMCL
from counsel.policies.registry import policies
from counsel.registry import Preset

__all__ = ["MCL"]

MCL = policies.register(
    "mcl",
    title="MCL",
    sentence="Constraints learned by asking about all of them in every trial.",
    learns_constraints=True,
    certifies=True,
)(
    Preset(
        DMCL,
        "MCL",
        fixed={"asking": "everything"},
        defaults={"rank": 0},
        hidden=("ask_threshold", "expansion_share", "imputing", "normalised", "overall", "paper"),
    )
)
