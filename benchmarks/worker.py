"""One measurement in a process of its own: `python -m benchmarks.worker CASE CONTESTANT`.

Separate processes keep one library's threads, caches and memory out of another's figures.
The last line of the output is the measurement as JSON.
"""

import json
import subprocess
import sys

from benchmarks.measure import Measurement


class WorkerError(RuntimeError):
    """A contestant did not finish; the message is the last line it wrote."""


def measure(case: str, contestant: str) -> Measurement:
    """Run one contestant of a case in a new process."""
    command = [sys.executable, "-m", "benchmarks.worker", case, contestant]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        raise WorkerError(lines[-1])
    return Measurement.from_dict(json.loads(done.stdout.splitlines()[-1]))


def main(case: str, contestant: str) -> None:
    """Entry point of the new process."""
    from benchmarks.cases import CASES

    result = CASES[case].contestants[contestant]()
    print(json.dumps(result.to_dict()))


if __name__ == "__main__":
    main(*sys.argv[1:])
