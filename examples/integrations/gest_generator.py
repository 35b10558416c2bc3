"""A gest-api generator: what Xopt, libEnsemble, optimas and Blop drive."""

from gest_api.vocs import VOCS

from counsel.integrations.gest import CounselGenerator

vocs = VOCS(
    variables={"current": [0.0, 10.0], "lens": {"short", "long"}},
    objectives={"size": "MINIMIZE"},
    constraints={"loss": ["LESS_THAN", 0.5]},
)
generator = CounselGenerator(vocs, seed=0)
for _ in range(6):
    points = generator.suggest(2)  # dicts, each with an "_id"
    for point in points:
        point["size"] = (point["current"] - 6.0) ** 2 + (point["lens"] == "short")
        point["loss"] = point["current"] / 15.0
    generator.ingest(points)
print("smallest", generator.study.best)
print(generator.study.explain(generator.study.ask()).sentence())
