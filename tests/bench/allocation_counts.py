"""What `cairn allocations --exact` costs the application: the CPU that the same work takes without it, while every
allocation is counted, and afterwards, when nobody counts but the runtime still takes its slow way. One line each."""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True

from allocations import AllocTruth  # noqa: E402
from application import Application  # noqa: E402


class CountedTruth(AllocTruth):
    """Below `cairn allocations --exact --run`, whose process this one is the parent of."""

    def __init__(self, cairn, program, output):
        command = [cairn, "allocations", "--exact", "--run", "--json", "-o", output, "--", program]
        Application.__init__(self, command, {**os.environ, "DOTNET_gcServer": "0"})

    def stop_counting(self):
        self.process.kill()
        self.process.wait()


def seconds_of(application, megabytes, rounds):
    """CPU of the runs that allocate so much of each type, on all threads; and how many objects a second of it made."""
    seconds, rates = [], []
    for _ in range(rounds):
        before, cpu = application.run(0), application.cpu_seconds()
        after = application.run(megabytes)
        seconds.append(application.cpu_seconds() - cpu)
        rates.append(sum(after[name][0] - before[name][0] for name in after) / seconds[-1])
    return statistics.median(seconds) / megabytes, statistics.median(rates)


def print_cost(name, cost, plain):
    print(f"{name}: {cost[1] / 1e6:.2f} M allocations in a second of CPU; ratio to none {plain[0] / cost[0]:.3f} "
          f"({cost[0] / plain[0]:.1f} times the CPU)", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True)
    parser.add_argument("--app", help="alloc-truth, published (BUILD/targets/alloc-truth)")
    parser.add_argument("--megabytes", type=int, default=20, help="that each type gets in a run while all is counted")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()

    build = Path(options.build).resolve()
    program = str(Path(options.app or build / "targets" / "alloc-truth" / "alloc-truth"))
    with AllocTruth(program) as application:
        application.run(200)  # all is compiled
        plain = seconds_of(application, 50 * options.megabytes, options.rounds)
    with tempfile.TemporaryDirectory(prefix="cairn-counts-") as folder:
        with CountedTruth(str(build / "bin" / "cairn"), program, str(Path(folder) / "c.json")) as application:
            application.run(options.megabytes)
            counting = seconds_of(application, options.megabytes, options.rounds)
            application.stop_counting()
            application.run(options.megabytes)
            behind = seconds_of(application, 10 * options.megabytes, options.rounds)
            application.process.stdin.close()
    print(f"none: {plain[1] / 1e6:.2f} M allocations in a second of CPU", flush=True)
    print_cost("counting every one", counting, plain)
    print_cost("behind that, uncounted", behind, plain)
    return 0


if __name__ == "__main__":
    sys.exit(main())
