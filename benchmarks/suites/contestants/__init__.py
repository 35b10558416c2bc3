"""Everyone who takes part in the suites, each as its documentation says to use it.

A module is imported only in the process of its contestant.
"""

from importlib import import_module, metadata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benchmarks.suites.contestant import Contestant
    from benchmarks.suites.setting import Setting

# Name: module, class, package whose version counts.
CONTESTANTS = {
    "counsel": ("with_counsel", "WithCounsel", "counsel"),
    "random": ("with_random", "WithRandom", "numpy"),
    "botorch-logei": ("with_botorch", "LogEI", "botorch"),
    "botorch-lognei": ("with_botorch", "LogNEI", "botorch"),
    "botorch-ucb": ("with_botorch", "UCB", "botorch"),
    "ax": ("with_ax", "WithAx", "ax-platform"),
    "optuna-gp": ("with_optuna", "OptunaGP", "optuna"),
    "optuna-tpe": ("with_optuna", "OptunaTPE", "optuna"),
    "cma": ("with_cma", "WithCma", "cma"),
    "baybe": ("with_baybe", "WithBaybe", "baybe"),
    "hebo": ("with_hebo", "WithHebo", "HEBO"),
    "skopt": ("with_skopt", "WithSkopt", "scikit-optimize"),
    "smac": ("with_smac", "WithSmac", "smac"),
}
# Those that can choose among the rows of a table.
AMONG_ROWS = ("counsel", "random", "botorch-logei", "botorch-lognei", "botorch-ucb", "baybe")


def able(name: str, setting: "Setting") -> bool:
    """Whether a contestant can play in this setting."""
    return setting.rows is None or name.partition(":")[0] in AMONG_ROWS


def make(name: str, setting: "Setting", seed: int) -> "Contestant":
    """The contestant of this name at the start of a cell; a variant follows a colon."""
    base, _, variant = name.partition(":")
    module, kind, _ = CONTESTANTS[base]
    found = getattr(import_module(f"benchmarks.suites.contestants.{module}"), kind)
    return found(setting, seed, variant) if variant else found(setting, seed)


def version(name: str) -> str:
    """What a kept result is good for: a package's version, or Counsel's code as it is."""
    base = name.partition(":")[0]
    if base == "counsel":
        from benchmarks.suites.contestants.with_counsel import code_digest

        return code_digest()
    try:
        return metadata.version(CONTESTANTS[base][2])
    except metadata.PackageNotFoundError:
        return "absent"
