"""Finite tables that ship with `gauche` and `olymp`, read as arms; the packages are not imported.

Rows that name the same arm are averaged. The gap of a run is the share of the table that is better
than the best row found, and half a row where none is. Tuning plays sub-tables, with three quarters
of the levels of every column of texts, and of other tables three quarters of the rows.
"""

import json
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from benchmarks.suites.setting import Parameter, Point, Setting
from benchmarks.suites.world import Reading, World

FIRST, TRIALS, KEPT = 5, 40, 0.75
REACTIONS = {
    "DreherDoyle": ["ligand", "additive", "base", "aryl halide"],
    "SuzukiMiyaura": [
        "reactant_1_smiles",
        "reactant_2_smiles",
        "catalyst_smiles",
        "ligand_smiles",
        "reagent_1_smiles",
        "solvent_1_smiles",
    ],
}
CAMPAIGNS = ("photo_wf3", "photo_pce10", "fullerenes", "hplc", "alkox", "colors_n9", "suzuki")


class Table(NamedTuple):
    """Columns, and what is to be minimised."""

    columns: pd.DataFrame
    values: pd.Series


def worlds(repeats: int, tuning: bool) -> Iterator[World]:
    """Every table, or for tuning a part of each; repeats are seeds."""
    for name in (*REACTIONS, *CAMPAIGNS):
        yield world(f"{name}-part", part(name)) if tuning else world(name, whole(name))


def whole(name: str) -> Table:
    """A table by its name."""
    return _reactions(name) if name in REACTIONS else _campaign(name)


def part(name: str) -> Table:
    """The part of a table that settings are chosen on."""
    return _part(whole(name), np.random.default_rng(len(name)))


def _folder(package: str) -> Path:
    found = find_spec(package)
    if found is None or found.origin is None:
        raise ModuleNotFoundError(f"The tables of {package!r} are not here: install it.")
    return Path(found.origin).parent / "datasets"


def _reactions(name: str) -> Table:
    data = pd.read_csv(_folder("gauche") / "reactions" / f"{name}.csv")
    return _averaged(data[REACTIONS[name]].astype(str), -data["yield"])


def _campaign(name: str) -> Table:
    folder = _folder("olympus") / f"dataset_{name}"
    about = json.loads((folder / "config.json").read_text())
    names = [str(parameter["name"]) for parameter in about["parameters"]]
    data = pd.read_csv(folder / "data.csv", header=None, names=[*names, "value"])
    sign = 1.0 if about["default_goal"] == "minimize" else -1.0
    return _averaged(data[names], sign * data["value"])


def _averaged(columns: pd.DataFrame, values: pd.Series) -> Table:
    columns = columns.loc[:, columns.nunique() > 1]
    together = columns.assign(_value=values).groupby(list(columns), sort=True)["_value"].mean()
    flat = together.reset_index()
    return Table(flat[list(columns)], flat["_value"])


def _part(table: Table, rng: np.random.Generator) -> Table:
    keep = np.ones(len(table.values), dtype=bool)
    for name in table.columns:
        column = table.columns[name]
        if column.dtype.kind in "if":
            continue
        levels = column.unique()
        some = rng.permutation(levels)[: max(2, round(KEPT * len(levels)))]
        keep &= column.isin(some).to_numpy()
    if keep.all():
        keep = rng.uniform(size=len(keep)) < KEPT
    return _averaged(table.columns[keep], table.values[keep])


def world(name: str, table: Table) -> World:
    """A table as rows to choose from."""
    parameters = tuple(_parameter(f"x{j}", table.columns[c]) for j, c in enumerate(table.columns))
    rows = tuple(tuple(row) for row in table.columns.astype(object).to_numpy().tolist())
    values = table.values.to_numpy(dtype=float)

    def start(seed: int) -> Callable[[Point], Reading]:
        return lambda point: Reading(float(values[point]))

    def gap(worth: float) -> float:
        return max(float((values < worth).sum()), 0.5) / len(values)

    return World(
        name=f"table-{name}",
        group="reactions" if name.partition("-")[0] in REACTIONS else "campaigns",
        setting=Setting(parameters, rows),
        open=start,
        gap=gap,
        first=FIRST,
        trials=TRIALS,
    )


def _parameter(name: str, column: pd.Series) -> Parameter:
    if column.dtype.kind in "if":
        return Parameter(name, "real", float(column.min()), float(column.max()))
    return Parameter(name, "choice", choices=tuple(column.unique().tolist()))
