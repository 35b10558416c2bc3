"""Constraints: what is known to hold, what may hold, and what is worth asking.

A constraint enters as its margin, so it holds where its function is 0 or more. Output 0 is the
objective. Arrays over outputs and arms are (m, M), over constraints and arms (k, M), m = 1 + k.
"""

from counsel.constraints.learned import Learned, begin, course, fold, tell
from counsel.constraints.running_bounds import Bounds, bayesian_beta, interval, running
from counsel.constraints.selection import batch, gains, normalised, paper_weights, question
from counsel.constraints.sets import Sets, sets

__all__ = [
    "Bounds",
    "Learned",
    "Sets",
    "batch",
    "bayesian_beta",
    "begin",
    "course",
    "fold",
    "gains",
    "interval",
    "normalised",
    "paper_weights",
    "question",
    "running",
    "sets",
    "tell",
]
