"""The LW-UCB paper's experiments: one file per figure or table."""
