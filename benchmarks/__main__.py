"""`python -m benchmarks` is `python -m benchmarks.speed`."""

from benchmarks.speed import main

main()
