"""Utilities of a soft exosuit's help in lifting and lowering, per subject, from choices.

The real utilities (15 subjects x 3 blocks, Arens et al., as used by the ShapleyBO paper) are not
part of Counsel: put them in a folder and name it in $COUNSEL_DATA. Each file is a table of 100 x
100 posterior mean utilities, rows for the lowering gain and columns for the lifting gain; its first
column is a row number and is dropped. (The paper's authors kept it as data, which put two false
peaks into their ground truth.) Without the folder synthetic subjects take their place, and the
world's name says so: `exosuit-3` is real, `synthetic-exosuit-3` is not.
"""

import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from jaxtyping import Float64

from counsel.errors import InvalidInput
from counsel.space import Arms
from counsel.worlds.registry import worlds
from counsel.worlds.world import Points, Values, World, over_arms

__all__ = ["SUBJECTS", "exosuit", "synthetic_exosuit"]

SUBJECTS = 15
BLOCKS = 3
CHOICES = 12  # in a block
SIDE = 100
NOISE = 0.05
Table = Float64[np.ndarray, "g g"]


@worlds.register(
    "exosuit", title="Exosuit", sentence="How one subject likes the help of a soft exosuit."
)
def exosuit(
    subject: int = 1,
    block: int | None = None,
    extent: int = 50,
    step: int = 1,
    folder: str | os.PathLike[str] | None = None,
) -> World:
    """One subject's utility over the gains 0..extent-1, every `step`-th; the mean of all blocks
    unless one is given.

    The paper searches [0, 50]^2 of the 100 x 100 table. The utilities are looked for in `folder`,
    else in $COUNSEL_DATA; only where neither is given does `synthetic_exosuit` answer.
    """
    given = folder if folder is not None else os.environ.get("COUNSEL_DATA") or None
    if given is None:
        return synthetic_exosuit(subject, block, extent, step)
    source = "folder" if folder is not None else "COUNSEL_DATA"
    _check(subject, block, extent, step)
    tables = [_read(source, Path(given), subject, each) for each in _blocks(block)]
    return _world("exosuit", subject, np.mean(tables, axis=0), extent, step)


@worlds.register(
    "synthetic-exosuit",
    title="Synthetic exosuit",
    sentence="Synthetic utilities in place of the subjects'.",
)
def synthetic_exosuit(
    subject: int = 1, block: int | None = None, extent: int = 50, step: int = 1
) -> World:
    """Synthetic utilities, made like the real ones: a preference model of simulated choices.

    A subject's true utility is a sum of three Gaussian hills over both gains, with seeded heights
    (1 to 3), places and widths (15 to 35 gains). In each block they make 12 forced choices between
    random pairs, with noise of sd 0.3; the table is the posterior mean of a pairwise probit model
    with a length-scale of 0.3 of the range, scaled to the true utility's spread.
    """
    _check(subject, block, extent, step)
    tables = [_learned(subject, each) for each in _blocks(block)]
    return _world("synthetic-exosuit", subject, np.mean(tables, axis=0), extent, step)


def _check(subject: int, block: int | None, extent: int, step: int) -> None:
    for name, value, least, most in (
        ("subject", subject, 1, SUBJECTS),
        ("block", 1 if block is None else block, 1, BLOCKS),
        ("extent", extent, 2, SIDE),
        ("step", step, 1, extent - 1),
    ):
        if not least <= value <= most:
            raise InvalidInput(name, value, f"Give a number from {least} to {most}.")


def _blocks(block: int | None) -> tuple[int, ...]:
    return tuple(range(1, BLOCKS + 1)) if block is None else (block,)


def _world(family: str, subject: int, table: Table, extent: int, step: int) -> World:
    gains = np.arange(0, extent, step, dtype=np.float64)
    lowering, lifting = np.meshgrid(gains, gains, indexing="ij")
    arms = Arms(np.column_stack([lifting.ravel(), lowering.ravel()]), names=["lifting", "lowering"])
    return over_arms(f"{family}-{subject}", arms, _Table(table), noise=NOISE)


@dataclass(frozen=True, eq=False)
class _Table:
    """Utility by whole gains."""

    table: Table

    def __call__(self, x: Points) -> Values:
        lifting, lowering = np.rint(x).astype(int).T
        return self.table[lowering, lifting]


def _read(source: str, folder: Path, subject: int, block: int) -> Table:
    import pandas as pd

    file = f"S{subject}-B{block}.csv"
    remedy = f"It must hold exosuit_utilities/{file}, a row number and {SIDE} utilities in each row"
    if source == "COUNSEL_DATA":
        remedy += "; correct it, or unset it for the synthetic subjects"
    try:
        frame = pd.read_csv(folder / "exosuit_utilities" / file, index_col=0)
        table = frame.to_numpy(dtype=np.float64)
    except (OSError, ValueError) as error:
        raise InvalidInput(source, str(folder), f"{remedy}.") from error
    if table.shape != (SIDE, SIDE) or not np.isfinite(table).all():
        raise InvalidInput(source, str(folder), f"{remedy}.")
    return table


@cache
def _learned(subject: int, block: int) -> Table:
    from counsel.models.judgements import Judged, Judgements, Manner
    from counsel.models.kernels import SquaredExponential
    from counsel.models.preference import posterior

    true = _hills(subject)
    rng = np.random.default_rng([subject, block])
    pairs = rng.uniform(0.0, SIDE - 1.0, (CHOICES, 2, 2))
    felt = true(pairs[:, 0]) - true(pairs[:, 1]) + 0.3 * rng.standard_normal(CHOICES)
    pairs = np.where((felt > 0.0)[:, None, None], pairs, pairs[:, ::-1]) / (SIDE - 1.0)
    nothing = np.zeros((0, 2)), np.zeros(0)
    given = Judgements.padded(pairs, np.zeros(CHOICES, dtype=bool), *nothing)
    manner = Manner(np.asarray(0.01), np.asarray(0.3), np.asarray(0.1))
    axis = np.arange(SIDE) / (SIDE - 1.0)
    lowering, lifting = np.meshgrid(axis, axis, indexing="ij")
    grid = np.column_stack([lifting.ravel(), lowering.ravel()])
    model = posterior(Judged(SquaredExponential(np.array([0.3, 0.3])), 2), manner, given)
    spread = true(grid * (SIDE - 1.0)).std()
    return spread * np.asarray(model.mean(grid)).reshape(SIDE, SIDE)


class _Hills:
    """A sum of Gaussian hills over (lifting, lowering)."""

    def __init__(self, subject: int) -> None:
        rng = np.random.default_rng([subject, 0])
        self.heights = rng.uniform(1.0, 3.0, 3)
        self.places = rng.uniform(0.0, SIDE - 1.0, (3, 2))
        self.widths = rng.uniform(15.0, 35.0, 3)

    def __call__(self, x: Points) -> Values:
        squared = np.sum((x[:, None, :] - self.places) ** 2, axis=2)
        return np.exp(-0.5 * squared / self.widths**2) @ self.heights


@cache
def _hills(subject: int) -> _Hills:
    return _Hills(subject)
