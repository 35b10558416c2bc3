"""Counsel: an optimizer that proposes what to try next, says why, and takes your counsel.

policy = surrogate x acquisition x feasible set;  a study is a fold over facts.

    | policy            | surrogate         | acquisition                             |
    |-------------------|-------------------|-----------------------------------------|
    | v-ucb             | GP                | mean + kappa sd                         |
    | gp-ucb            | GP                | mean + sqrt(beta_t) sd                  |
    | lw-ucb            | GP                | mean + kappa w sd, w the output weight  |
    | pruned-ucb        | GP                | the same with our own w, at most 1    |
    | risk-averse       | GP, varying noise | mean + kappa sd - risk noise            |
    | uncertainty-aware | imprecise GP, too | the same + model_weight (upper - lower) |
    | ei                | GP                | expected improvement, in log space      |
    | augmented-ei      | GP                | the same, less what noise would hide    |
    | ts                | GP                | one draw from the posterior             |
    | random            | none              | none                                    |

With constraints, all of these but the last weight their score by the chance that they hold. These
learn a feasible set instead:

    | policy            | surrogate         | feasible set                            |
    |-------------------|-------------------|-----------------------------------------|
    | dmcl              | GPs, averaged     | certified by chance; asks what decides  |
    | mcl               | GPs, averaged     | the same; asks about everything         |
    | acl               | GPs, averaged     | the same, of the mean of all answers    |
    | acol              | linear            | bounds of the mean of all answers       |

Names load on first use: `import counsel` itself needs no JAX.
"""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from counsel import acquisition, explain, policies, storage
    from counsel.client import Client
    from counsel.errors import (
        Conflict,
        CounselError,
        HistoryChanged,
        InvalidInput,
        NotFound,
        NothingToExplain,
        NothingToPropose,
        StorageError,
    )
    from counsel.explain.attribution import Attribution, WhatIf
    from counsel.facts.problem import Constraint, Objective, Problem
    from counsel.facts.records import (
        Amendment,
        Archival,
        Claim,
        Comment,
        Comparison,
        Decision,
        Failure,
        Lease,
        Observation,
        Prediction,
        Proposal,
        Revision,
        Withdrawal,
    )
    from counsel.facts.safety import SafeSet
    from counsel.facts.summaries import Best, Replay
    from counsel.space import Arms, Categorical, Float, Int, Require, Space
    from counsel.study import Study, create_study, delete_study, list_studies, load_study
    from counsel.teams.advice import Advice

__version__ = "0.1.0"

# The module of each public name, in the order of the design.
_HOMES = {
    "Float": "space",
    "Int": "space",
    "Categorical": "space",
    "Require": "space",
    "Space": "space",
    "Arms": "space",
    "create_study": "study",
    "load_study": "study",
    "list_studies": "study",
    "delete_study": "study",
    "Study": "study",
    "Client": "client",
    "Problem": "facts.problem",
    "Objective": "facts.problem",
    "Constraint": "facts.problem",
    "Proposal": "facts.records",
    "Decision": "facts.records",
    "Observation": "facts.records",
    "Comparison": "facts.records",
    "Claim": "facts.records",
    "Comment": "facts.records",
    "Archival": "facts.records",
    "Revision": "facts.records",
    "Failure": "facts.records",
    "Amendment": "facts.records",
    "Withdrawal": "facts.records",
    "Lease": "facts.records",
    "Prediction": "facts.records",
    "Attribution": "explain.attribution",
    "WhatIf": "explain.attribution",
    "Best": "facts.summaries",
    "Replay": "facts.summaries",
    "Advice": "teams.advice",
    "SafeSet": "facts.safety",
    "CounselError": "errors",
    "HistoryChanged": "errors",
    "InvalidInput": "errors",
    "Conflict": "errors",
    "NotFound": "errors",
    "NothingToExplain": "errors",
    "NothingToPropose": "errors",
    "StorageError": "errors",
}
_MODULES = ("acquisition", "explain", "policies", "storage")

__all__ = [
    "Advice",
    "Amendment",
    "Archival",
    "Arms",
    "Attribution",
    "Best",
    "Categorical",
    "Claim",
    "Client",
    "Comment",
    "Comparison",
    "Conflict",
    "Constraint",
    "CounselError",
    "Decision",
    "Failure",
    "Float",
    "HistoryChanged",
    "Int",
    "InvalidInput",
    "Lease",
    "NotFound",
    "NothingToExplain",
    "NothingToPropose",
    "Objective",
    "Observation",
    "Prediction",
    "Problem",
    "Proposal",
    "Replay",
    "Require",
    "Revision",
    "SafeSet",
    "Space",
    "StorageError",
    "Study",
    "WhatIf",
    "Withdrawal",
    "acquisition",
    "create_study",
    "delete_study",
    "explain",
    "list_studies",
    "load_study",
    "policies",
    "storage",
]


def __getattr__(name: str) -> object:
    if name in _MODULES:
        return importlib.import_module(f"counsel.{name}")
    if name in _HOMES:
        return getattr(importlib.import_module(f"counsel.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'counsel' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
