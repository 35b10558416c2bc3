"""The methods that several experiments share.

Those "as shipped" run in real studies, by name and with no setting but the arm to start from
(`studies`). The others, which certify by the union bound, run many instances at once; their margins
have a known scale, so nothing is rescaled.

Unless a name says "refitted", hyper-parameters are the prior's and stay so. Refitting to some ten
arms is what a study does; it finds the same arms and covers less often (`dmcl/ablation`).
"""

from typing import Any

from counsel.experiments.dmcl.protocol import Asking
from counsel.experiments.dmcl.studies import Played
from counsel.experiments.experiment import Method
from counsel.policies.acl import ACL
from counsel.policies.acol import ACOL
from counsel.policies.dmcl import DMCL
from counsel.policies.mcl import MCL

__all__ = [
    "ACL_CLEAR",
    "ACOL_CLEAR",
    "BATCH",
    "GROUP",
    "MCL_ALL",
    "ONE_BY_ONE",
    "SHIPPED",
    "SHIPPED_BATCH",
    "SHIPPED_GROUP",
    "SHIPPED_MCL",
    "dmcl",
    "method",
]

GROUP = "margins in known units"


def method(name: str, policy: Any, **options: bool) -> Method:
    return Method(name, Asking(policy, **{"fitted": False, **options}), group=GROUP)


def dmcl(**settings: Any) -> DMCL:
    return DMCL(**{"certificate": "union", "standardise": False, **settings})


SHIPPED_GROUP = "as shipped, in a study"
SHIPPED = Method("DMCL", Played(DMCL()), group=SHIPPED_GROUP)
SHIPPED_BATCH = Method(
    "DMCL, questions at once", Played(DMCL(), sequential=False), group=SHIPPED_GROUP
)
SHIPPED_MCL = Method("MCL, all questions", Played(MCL()), group=SHIPPED_GROUP)
ONE_BY_ONE = method("DMCL, one by one", dmcl(), sequential=True)
BATCH = method("DMCL, batch", dmcl())
MCL_ALL = method("MCL", MCL(standardise=False))
ACL_CLEAR = method("ACL, safe threshold", ACL(standardise=False), cleared=True)
ACOL_CLEAR = method("ACOL, safe threshold", ACOL(), cleared=True)
