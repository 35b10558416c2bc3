"""A study from the first proposal to the figures: run it with `python examples/quickstart.py`."""

import counsel as cs
from counsel import plots


def brew(temperature: float, minutes: float) -> float:
    """The world: how good the tea is. In earnest this is a person, a machine or a laboratory."""
    return 10 - ((temperature - 82) / 10) ** 2 - (minutes - 3) ** 2


space = cs.Space(temperature=cs.Float(60, 100), minutes=cs.Float(1, 8))
study = cs.create_study(space, objective="taste", seed=1)

for trial in range(1, 16):
    proposal = study.ask()
    values = dict(proposal.values)
    if trial == 5:  # a person knows better, this once
        values = {"temperature": 80, "minutes": 4}
        study.override(proposal, values, actor="ann", reason="as ever")
    study.tell(proposal, brew(**values))

assert study.best is not None
print(f"best of {len(study.observations)} trials: {study.best.value:.2f} at {study.best.values}")
plots.report([plots.progress(study, optimum=10), plots.landscape(study)], "tea.html", "Tea")
