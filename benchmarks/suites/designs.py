"""Engineering designs with constraints, and a function hidden among idle inputs, from BoTorch.

Repeats are seeds of the first points. A gap is the distance to the best value that BoTorch knows;
the pressure vessel can cost less than that, and whatever does counts as 1e-6.
"""

from collections.abc import Callable, Iterator

from benchmarks.suites.setting import Parameter, Point, Setting
from benchmarks.suites.world import Reading, World, above

# First points and trials by design: twice the inputs, at least five; and what a budget allows.
DESIGNS = {
    "ConstrainedGramacy": (5, 30),
    "TensionCompressionString": (6, 40),
    "PressureVessel": (8, 50),
    "WeldedBeamSO": (8, 50),
    "ConstrainedHartmann": (12, 60),
    "SpeedReducer": (14, 60),
}
IDLE = 19
"""Inputs beside Hartmann's six that change nothing: 25 in all."""


def worlds(repeats: int, tuning: bool) -> Iterator[World]:
    """All designs; repeats are seeds."""
    from botorch.test_functions import synthetic

    for name, (first, trials) in DESIGNS.items():
        function = getattr(synthetic, name)()
        yield World(
            name=f"design-{name}",
            group="designs",
            setting=Setting(_box(function._bounds), constraints=function.num_constraints),
            open=lambda seed, function=function: _constrained(function),
            gap=above(float(function._optimal_value), least=1e-6),
            first=first,
            trials=trials,
        )


def hidden(repeats: int, tuning: bool) -> Iterator[World]:
    """Hartmann's function of six inputs among 25; which six differs between tuning and report."""
    import torch
    from botorch.test_functions.synthetic import Hartmann

    function = Hartmann(dim=6)
    chosen = range(IDLE, IDLE + 6) if tuning else range(3, 21, 3)

    def evaluate(point: Point) -> Reading:
        assert not isinstance(point, int)
        x = torch.tensor([[point[j] for j in chosen]], dtype=torch.double)
        return Reading(float(function(x)))

    yield World(
        name="hidden-Hartmann6",
        group="hidden",
        setting=Setting(_box([(0.0, 1.0)] * (IDLE + 6))),
        open=lambda seed: evaluate,
        gap=above(float(function._optimal_value), least=1e-6),
        first=25,
        trials=120,
    )


def _box(bounds: list[tuple[float, float]]) -> tuple[Parameter, ...]:
    return tuple(Parameter(f"x{j}", "real", low, high) for j, (low, high) in enumerate(bounds))


def _constrained(function) -> Callable[[Point], Reading]:  # type: ignore[no-untyped-def]
    import torch

    def evaluate(point: Point) -> Reading:
        x = torch.tensor([point], dtype=torch.double)
        margins = tuple(float(slack) for slack in function.evaluate_slack(x)[0])
        return Reading(float(function(x)), margins)

    return evaluate
