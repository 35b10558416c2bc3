"""Counsel beside other optimizers on suites that others wrote: `python -m benchmarks.suites`.

A *cell* is one world (a function, a table, a design) with one seed. All contestants of a cell start
from the same first points and get the same number of trials; each lives in a process of its own
and sees of the world only what it is told. Every finished cell is a line under
`benchmarks/suites/results`, so a run that was cut short goes on where it stopped. Nothing is
downloaded: worlds come with the packages that `requirements.txt` names.

Two sets of instances. Settings of Counsel are chosen on *tuning* instances (`--tuning`) alone; the
tables of `docs/benchmarks.md` are made on the *reported* ones. Where a suite has no instances (a
table, a design), tuning and report differ by the seeds of the first points, and the tables say so.

Values are minimised here, as in COCO; margins are constraints that hold where they are 0 or more.
"""
