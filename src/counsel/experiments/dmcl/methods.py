"""The methods that several experiments share. Margins have a known scale: nothing is rescaled.

Unless a name says "refitted", hyper-parameters are the prior's and stay so. Refitting to some ten
arms is what a study does; it finds the same arms and covers less often (`dmcl/ablation`).
"""

from typing import Any

from counsel.experiments.dmcl.protocol import Asking
from counsel.experiments.experiment import Method
from counsel.policies.acl import ACL
from counsel.policies.acol import ACOL
from counsel.policies.dmcl import DMCL
from counsel.policies.mcl import MCL

__all__ = ["ACL_CLEAR", "ACOL_CLEAR", "BATCH", "GROUP", "MCL_ALL", "ONE_BY_ONE", "dmcl", "method"]

GROUP = "margins in known units"


def method(name: str, policy: Any, **options: bool) -> Method:
    return Method(name, Asking(policy, **{"fitted": False, **options}), group=GROUP)


def dmcl(**settings: Any) -> DMCL:
    return DMCL(**{"certificate": "union", "standardise": False, **settings})


ONE_BY_ONE = method("DMCL, one by one", dmcl(), sequential=True)
BATCH = method("DMCL, batch", dmcl())
MCL_ALL = method("MCL", MCL(standardise=False))
ACL_CLEAR = method("ACL, safe threshold", ACL(standardise=False), cleared=True)
ACOL_CLEAR = method("ACOL, safe threshold", ACOL(), cleared=True)
