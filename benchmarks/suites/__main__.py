"""`python -m benchmarks.suites`."""

from benchmarks.suites.command import main

main()
