"""Counsel beside BoTorch, scikit-learn and Optuna: speed, memory and regret.

Two commands, both run from the root of the project:

    python -m benchmarks.speed      # seconds and megabytes, ratios in one run
    python -m benchmarks.regret     # regret on two grids, paired seeds

Layout: `functions` (what is optimised), `contestants` (who optimises), `cases` (what is timed),
`worker` (one measurement in a process of its own), `report` (tables and markdown).
"""
