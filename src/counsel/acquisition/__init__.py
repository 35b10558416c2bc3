"""Acquisitions: rules that turn a posterior into a sum of named terms to maximise."""

from counsel.acquisition.duel import Challenger
from counsel.acquisition.improvement import EI, AugmentedEI
from counsel.acquisition.output_weighted import LWUCB, PrunedUCB
from counsel.acquisition.priors import Beta
from counsel.acquisition.terms import Acquisition, Round, Score, Survey, Terms, total
from counsel.acquisition.thompson import TS
from counsel.acquisition.upper_confidence import GPUCB, VUCB, RiskAverse, UncertaintyAware

__all__ = [
    "EI",
    "GPUCB",
    "LWUCB",
    "TS",
    "VUCB",
    "Acquisition",
    "AugmentedEI",
    "Beta",
    "Challenger",
    "PrunedUCB",
    "RiskAverse",
    "Round",
    "Score",
    "Survey",
    "Terms",
    "UncertaintyAware",
    "total",
]
