"""Blop's plan on Bluesky's engine, Counsel as its optimizer; the beamline is a function here."""

from blop.plans import optimize
from blop.protocols import OptimizationProblem
from bluesky import RunEngine
from gest_api.vocs import VOCS

from counsel.integrations.gest import CounselGenerator

vocs = VOCS(variables={"bend": [0.0, 1.0]}, objectives={"flux": "MAXIMIZE"})
counsel = CounselGenerator(vocs, seed=0)


def acquire(suggestions, actuators, sensors=None, md=None):
    yield from ()  # at a beamline: move the actuators and read the sensors
    return "run"


def evaluate(uid, suggestions):
    return [{"_id": each["_id"], "flux": 5 - (each["bend"] - 0.3) ** 2} for each in suggestions]


problem = OptimizationProblem(counsel, [], [], evaluate, acquire)
RunEngine()(optimize(problem, iterations=4, n_points=2))
print("best", counsel.get_best_points())
