"""The registry of experiments, each a record in its own file."""

from counsel.experiments.experiment import Experiment
from counsel.registry import Entry, Registry

__all__ = ["experiments", "registered"]

experiments = Registry("experiment", Entry, ("counsel.experiments",), "counsel.experiments")


def registered(experiment: Experiment) -> Experiment:
    """Register an experiment under its own name; return it."""
    keep = experiments.register(
        experiment.name, title=experiment.title, sentence=experiment.mirrors
    )
    return keep(experiment)
