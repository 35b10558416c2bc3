"""Why this proposal? Run it with `python examples/explain.py`."""

import counsel as cs
from counsel import plots


def brew(temperature: float, minutes: float, leaf: str) -> float:
    """The world: how good the tea is."""
    loss = ((temperature - 82) / 10) ** 2 + (minutes - 3) ** 2
    return 10 - loss - (1.0 if leaf == "broken" else 0.0)


space = cs.Space(
    temperature=cs.Float(60, 100), minutes=cs.Float(1, 8), leaf=cs.Categorical(["whole", "broken"])
)
study = cs.create_study(space, objective="taste", policy="v-ucb", seed=1)
for _ in range(8):
    proposal = study.ask()
    study.tell(proposal, brew(**proposal.values))

proposal = study.ask()
why = study.explain(proposal)  # base + contributions = the acquisition that was maximised
print(why.sentence())
print(why.table().round(2))

mine = {"temperature": 90, "minutes": 4, "leaf": "whole"}
print(study.explain(proposal, instead_of=mine).sentence())  # why this and not mine
print(study.grounds(proposal).sentence())  # would that reason survive?
plots.report([plots.contributions(why), plots.slices(study, proposal)], "why.html", "Why?")
