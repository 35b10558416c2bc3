"""What stored policies were called before, and what a setting that was not yet stored meant.

Rows are added here, never changed or taken away: databases and files written by any version must
open. Before there were tags, a policy was stored as {"type": "module:Class", "fields": {...}}.
"""

from collections.abc import Callable, Mapping
from typing import Any

__all__ = ["ABSENT", "ALIASES", "CHANGED", "modern"]

# "module:Class" as it was written -> tag
ALIASES = {
    "counsel.acquisition.bounds:GPUCB": "gp-ucb",
    "counsel.acquisition.bounds:RiskAverse": "risk-averse",
    "counsel.acquisition.bounds:UncertaintyAware": "uncertainty-aware",
    "counsel.acquisition.bounds:VUCB": "v-ucb",
    "counsel.acquisition.duel:Challenger": "challenger",
    "counsel.acquisition.thompson:TS": "ts",
    "counsel.constraints.learned:Confidence": "confidence",
    "counsel.models.kernels:Matern": "matern",
    "counsel.models.kernels:Prior": "prior",
    "counsel.models.kernels:Product": "product",
    "counsel.models.kernels:SquaredExponential": "squared-exponential",
    "counsel.models.kernels:Sum": "sum",
    "counsel.policies.acl:ACL": "acl",
    "counsel.policies.acol:ACOL": "acol",
    "counsel.policies.bandit:Bandit": "bandit",
    "counsel.policies.dmcl:DMCL": "dmcl",
    "counsel.policies.mcl:MCL": "mcl",
    "counsel.policies.preference:Preference": "preference",
    "counsel.policies.random:Random": "random",
}

# tag -> what a setting was worth when it was not stored yet. A new setting of an old tag gets a row
# here with the behaviour from before it, whatever its default is.
ABSENT: dict[str, dict[str, Any]] = {
    "bandit": {"floor": None, "tried": False, "reason": "", "scaling": None},
    "dmcl": {"asking": "worth", "overall": 0.0},
    "ei": {"xi": 0.0, "incumbent": "mean"},
    "gp-ucb": {"domain": "chosen"},
    "lw-ucb": {"prior": None, "density": "search"},
    "pruned-ucb": {"density": "search"},
    "prior": {"lengthscale_factor": 1.0, "choice_factor": None},
}


def _weighted(settings: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """LWUCB had two weights: ours, the default, is PrunedUCB today. Both sampled the search."""
    return "lw-ucb" if settings.pop("paper", False) else "pruned-ucb", settings


def _improvement(settings: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """EI was augmented for noise unless told otherwise."""
    return "augmented-ei" if settings.pop("augmented", True) else "ei", settings


# "module:Class" as it was written -> tag and settings, where the class means something else today
CHANGED: dict[str, Callable[[dict[str, Any]], tuple[str, dict[str, Any]]]] = {
    "counsel.acquisition.improvement:EI": _improvement,
    "counsel.acquisition.output_weighted:LWUCB": _weighted,
}


def modern(description: Any) -> Any:
    """A stored description in today's form, whenever it was written."""
    match description:
        case {"type": str(name)}:
            settings = modern(description.get("fields", {}))
            if name in CHANGED:
                return _complete(*CHANGED[name](settings))
            if name in ALIASES:
                return _complete(ALIASES[name], settings)
            return {"unregistered": name.rpartition(":")[2], "settings": settings}
        case {"tag": str(tag), "settings": Mapping() as settings, **rest} if not rest:
            return _complete(tag, modern(dict(settings)))
        case Mapping():
            return {key: modern(value) for key, value in description.items()}
        case list():
            return [modern(item) for item in description]
    return description


def _complete(tag: str, settings: dict[str, Any]) -> dict[str, Any]:
    return {"tag": tag, "settings": {**ABSENT.get(tag, {}), **settings}}
