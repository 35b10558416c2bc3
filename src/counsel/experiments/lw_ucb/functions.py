"""The synthetic functions by label, with payoffs standardised over the arms as in the paper."""

from functools import cache, partial

from counsel import worlds
from counsel.worlds import World, standardised

__all__ = ["COMPONENTS", "FUNCTIONS", "function"]


@cache
def _build(name: str, grid: int) -> World:
    built = worlds.load(name, grid=grid)
    assert isinstance(built, World)
    return standardised(built)


def function(name: str, grid: int, seed: int) -> World:
    """The same world for every seed."""
    return _build(name, grid)


FUNCTIONS = {
    "Cosine": partial(function, "cosine", 50),
    "Michalewicz": partial(function, "michalewicz", 50),
    "Modified Michalewicz": partial(function, "modified-michalewicz", 50),
}

# The paper's n_GMM.
COMPONENTS = {"Cosine": 2, "Michalewicz": 4, "Modified Michalewicz": 4}
