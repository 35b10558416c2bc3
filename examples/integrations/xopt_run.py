"""Xopt evaluates, Counsel proposes: an accelerator's loop with a constraint."""

from gest_api.vocs import VOCS
from xopt import Evaluator, Xopt

from counsel.integrations.gest import CounselGenerator

vocs = VOCS(
    variables={"quadrupole": [-1.0, 1.0], "phase": [0.0, 90.0]},
    objectives={"size": "MINIMIZE"},
    constraints={"charge": ["GREATER_THAN", 0.5]},
)


def beam(inputs):
    size = (inputs["quadrupole"] - 0.2) ** 2 + (inputs["phase"] / 90 - 0.4) ** 2
    return {"size": size, "charge": 1 - inputs["phase"] / 120}


counsel = CounselGenerator(vocs, seed=0)
run = Xopt(generator=counsel, evaluator=Evaluator(function=beam))
for _ in range(8):
    run.step()
print("smallest", run.data["size"].min())
print(counsel.study.what_if({"quadrupole": 0.2, "phase": 36.0}).attribution.sentence())
