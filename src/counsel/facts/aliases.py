"""Former names of stored policies, and the values of settings that were not stored at the time.

Rows are only ever added: databases and files written by any version must open. Before tags, a
policy was stored as {"type": "module:Class", "fields": {...}}.
"""

from collections.abc import Callable, Mapping
from typing import Any

__all__ = ["ABSENT", "ALIASES", "CHANGED", "began_with", "modern"]

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

# Constraint learners before there was a choice of certificates, and of how to search.
_UNION = {
    "certificate": "union",
    "certainty": 0.98,
    "risk_limit": None,
    "gentle": False,
    "hope": None,
    "persistent": False,
    "choosy": False,
    "unasked": 1.0,
    "optimism": 0.9,
    "attentive": False,
    "centred": False,
}
# tag -> the value a setting had before it was stored. A new setting of an old tag gets a row here
# that keeps the earlier behaviour, whatever its default is.
ABSENT: dict[str, dict[str, Any]] = {
    "bandit": {
        "floor": None,
        "tried": False,
        "reason": "",
        "refined": False,
        "feasibility": None,
        "scaling": None,
        "guess": None,
        "least_gain": None,
        "multiplied": False,
        "output": "fixed",
        "shares": False,
        "wary": False,
        "advised": False,
        "calibrated": False,
        "pooled": False,
        "forgiving": False,
        "at_once": False,
        "least_share": None,
        "working": None,
        "in_context": False,
    },
    "acl": _UNION,
    "dmcl": {"asking": "worth", "overall": 0.0, "normalised": False, **_UNION},
    "ei": {"xi": 0.0, "incumbent": "mean"},
    "gp-ucb": {"domain": "chosen"},
    "lw-ucb": {"prior": None, "density": "search"},
    "matern-product": {"levels": False},
    "mcl": _UNION,
    "preference": {"lean": False},
    "pruned-ucb": {"density": "search"},
    "prior": {"lengthscale_factor": 1.0, "choice_factor": None},
    "scaling": {"light_rows": None, "quiet": None},
}


def _weighted(settings: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """LWUCB had two weights; the default one is now PrunedUCB. Both sampled the search."""
    return "lw-ucb" if settings.pop("paper", False) else "pruned-ucb", settings


def _improvement(settings: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """EI was augmented for noise by default."""
    return "augmented-ei" if settings.pop("augmented", True) else "ei", settings


# "module:Class" as it was written -> tag and settings, where the class now means something else
CHANGED: dict[str, Callable[[dict[str, Any]], tuple[str, dict[str, Any]]]] = {
    "counsel.acquisition.improvement:EI": _improvement,
    "counsel.acquisition.output_weighted:LWUCB": _weighted,
}


def modern(description: Any) -> Any:
    """Bring a stored description of any version up to date."""
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


def began_with(stored: Any, given: Any) -> bool:
    """Whether a policy is the stored one, but for settings that came later.

    A study keeps the behaviour from before such a setting, so its value today does not matter.
    """
    match stored, given:
        case {"tag": str(tag), "settings": Mapping() as then}, {
            "tag": str(name),
            "settings": Mapping() as now,
        }:
            late = ABSENT.get(tag, {})
            return tag == name and all(
                began_with(then.get(key), now.get(key))
                or (key in late and (key not in then or then[key] == late[key]))
                for key in {*then, *now}
            )
        case Mapping(), Mapping():
            return stored.keys() == given.keys() and all(
                began_with(stored[key], given[key]) for key in stored
            )
        case [*_], [*_]:
            return len(stored) == len(given) and all(map(began_with, stored, given))
    return bool(stored == given)
