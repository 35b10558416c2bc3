"""ACL: learn all constraints as one, the mean of all answers.

The mean of all margins must reach `overall`, so a trial counts once every constraint is answered.
To give a single overall answer, create the study with that one constraint. A mean can hide a
constraint that fails: at `overall` = 0 the arms that pass are not all safe, and a threshold that
makes it safe also keeps good arms out.
"""

from counsel.policies.dmcl import DMCL
from counsel.policies.registry import policies
from counsel.registry import Preset

__all__ = ["ACL"]

ACL = policies.register(
    "acl",
    title="ACL",
    sentence="Constraints learned as one, the mean of all answers.",
    learns_constraints=True,
    certifies=True,
)(
    Preset(
        DMCL,
        "ACL",
        fixed={"asking": "overall"},
        defaults={"rank": 0},
        hidden=("ask_threshold", "expansion_share", "imputing", "normalised", "paper"),
    )
)
