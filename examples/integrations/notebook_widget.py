"""For a cell of a notebook: sliders, what to expect there and why, and the three decisions."""

import counsel as cs
from counsel.integrations.notebook import decide

space = cs.Space(minutes=cs.Float(1, 8), sugar=cs.Int(0, 3))
study = cs.create_study(space, objective="taste", policy="v-ucb", seed=0)
for minutes, sugar, taste in [(1, 0, 2.0), (3, 1, 8.0), (5, 2, 6.0), (8, 0, 1.0), (4, 3, 5.0)]:
    study.tell({"minutes": minutes, "sugar": sugar}, taste)

widget = decide(study, actor="ann")  # as the last line of a cell, `decide(study)` shows it
widget.point = {"minutes": 4.0, "sugar": 1}  # what a slider does
print("proposed", widget.proposal["values"], widget.proposal["prediction"])
print("mine", widget.point, widget.belief["sentence"])
