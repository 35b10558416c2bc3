"""optimas explores with two workers, Counsel proposes."""

from gest_api.vocs import VOCS
from optimas.evaluators import FunctionEvaluator
from optimas.explorations import Exploration
from optimas.generators import ExternalGenerator

from counsel.integrations.gest import CounselGenerator


def simulate(inputs, outputs):
    outputs["energy"] = 8 - (inputs["density"] - 3) ** 2


if __name__ == "__main__":
    vocs = VOCS(variables={"density": [1.0, 6.0]}, objectives={"energy": "MAXIMIZE"})
    counsel = CounselGenerator(vocs, seed=0)
    Exploration(
        generator=ExternalGenerator(ext_gen=counsel, vocs=vocs),
        evaluator=FunctionEvaluator(function=simulate),
        max_evals=8,
        sim_workers=2,
        libe_comms="threads",
    ).run()
    print("best", counsel.study.best.value)
