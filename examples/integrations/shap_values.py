"""Counsel's reasons in shap's own form, drawn by shap's own plots."""

import matplotlib
import shap

import counsel as cs

matplotlib.use("Agg")  # into files, without a screen
space = cs.Space(minutes=cs.Float(1, 8), sugar=cs.Int(0, 3))
study = cs.create_study(space, objective="taste", policy="v-ucb", seed=0)
for minutes, sugar, taste in [(1, 0, 2.0), (3, 1, 8.0), (5, 2, 6.0), (8, 0, 1.0), (4, 3, 5.0)]:
    study.tell({"minutes": minutes, "sugar": sugar}, taste)

explanations = study.explain(study.ask()).to_shap()  # one for each term, and their sum
for name, explanation in explanations.items():
    print(name, explanation.base_values, explanation.values)
axes = shap.plots.waterfall(explanations["sum"], show=False)
axes.figure.savefig("why.png", bbox_inches="tight")
