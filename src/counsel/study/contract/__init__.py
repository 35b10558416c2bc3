"""The verbs of a study, by what they are for; `StudyLike` is all of them.

commands.py   write facts: ask, decide, tell, correct, hold
recorded.py   what happened
beliefs.py    what is believed
reasons.py    why, and whether to follow it
points.py     how verbs name trials
"""
