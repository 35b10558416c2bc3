"""ivoryOS offers Counsel among its optimizers; here its loop is played by hand."""

from ivoryos.optimizer.registry import OPTIMIZER_REGISTRY

from counsel.integrations.ivoryos import CounselOptimizer

OPTIMIZER_REGISTRY["counsel"] = CounselOptimizer  # before ivoryos.run(...)

optimizer = OPTIMIZER_REGISTRY["counsel"](
    experiment_name="dispense",
    parameter_space=[
        {"name": "volume", "type": "range", "bounds": [1.0, 2.0], "value_type": "float"},
        {"name": "solvent", "type": "choice", "bounds": ["water", "ethanol"], "value_type": "str"},
    ],
    objective_config=[{"name": "waste", "minimize": True, "weight": 1}],
    optimizer_config={},
)
for _ in range(4):
    points = optimizer.suggest(2)
    optimizer.observe([{**each, "waste": (each["volume"] - 1.4) ** 2} for each in points])
print("best", optimizer.study.best.value)
