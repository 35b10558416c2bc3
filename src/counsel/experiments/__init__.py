"""The papers' experiments: `reproduce("lw-ucb/synthetic", seeds=20)` runs, resumes and reports.

One small file per figure or table; `runner` runs any of them, on one machine or many.
"""
