"""ACL: learn all constraints as one, from the person's overall answer.

The overall margin is the mean of all margins, and must reach `overall`: one answer a trial instead
of one per constraint, but a mean can hide a constraint that fails. At `overall` = 0 the arms that
pass are not all safe; a threshold that makes it safe also keeps good arms out.
"""

from counsel.policies.dmcl import DMCL
from counsel.policies.registry import policies
from counsel.registry import Preset

__all__ = ["ACL"]

ACL = policies.register(
    "acl",
    title="ACL",
    sentence="Constraints learned as one overall answer, their mean.",
    learns_constraints=True,
)(
    Preset(
        DMCL,
        "ACL",
        fixed={"asking": "overall"},
        defaults={"rank": 0},
        hidden=("ask_threshold", "expansion_share", "imputing", "paper"),
    )
)
