"""A small problem that several tests play: ten arms in a row, two constraints."""

import numpy as np

import counsel as cs

ARMS = cs.Arms([{"a": i / 9} for i in range(10)])
LIMITS = [cs.Constraint("calm", at_least=0.0), cs.Constraint("heat", at_most=1.0)]


def truth(a: float) -> dict[str, float]:
    """Payoff grows with a; calm ends at 0.5, heat stays below its bound: the best safe arm is 4."""
    return {"objective": a, "calm": 1.0 - 2.0 * a, "heat": 0.2 + 0.3 * a}


def play(
    study: cs.Study, rounds: int, noise: float = 0.05, seed: int = 0, sequential: bool = True
) -> list[cs.Proposal]:
    rng, made = np.random.default_rng(seed), []
    for _ in range(rounds):
        proposal = study.ask()
        made.append(proposal)
        seen = {
            k: v + noise * rng.standard_normal() for k, v in truth(proposal.values["a"]).items()
        }
        if sequential:
            study.tell(proposal, seen["objective"])
            while (question := study.next_question(proposal)) is not None:
                study.tell(proposal, constraints={question: seen[question]})
        else:
            answers = {name: seen[name] for name in proposal.asks}
            study.tell(proposal, seen["objective"], constraints=answers)
    return made
