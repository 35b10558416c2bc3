"""Acquisitions: rules that turn a posterior into a sum of named terms to maximise."""

from counsel.acquisition.duel import Challenger
from counsel.acquisition.improvement import EI
from counsel.acquisition.output_weighted import LWUCB
from counsel.acquisition.terms import Acquisition, Round, Score, Terms, total
from counsel.acquisition.thompson import TS
from counsel.acquisition.upper_confidence import GPUCB, VUCB, RiskAverse, UncertaintyAware

__all__ = [
    "EI",
    "GPUCB",
    "LWUCB",
    "TS",
    "VUCB",
    "Acquisition",
    "Challenger",
    "RiskAverse",
    "Round",
    "Score",
    "Terms",
    "UncertaintyAware",
    "total",
]
