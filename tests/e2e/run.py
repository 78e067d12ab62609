#!/usr/bin/env python3
"""run.py --build DIR: the end-to-end cases, each against a real runtime. Closes with one line `N passed, N failed`."""

import argparse
import fnmatch
import multiprocessing
import os
import sys
import tempfile
import time
import traceback
from pathlib import Path

sys.dont_write_bytecode = True

import allocation_cases
import beside_cases
import churn_cases
import client_cases
import container_cases
import count_cases
import contents_cases
import convert_cases
import crash_cases
import event_cases
import fault_cases
import id_cases
import input_cases
import leak_cases
import method_cases
import observe_cases
import package_cases
import peer_cases
import portable_cases
import query_cases
import roots_cases
import round_cases
import sample_cases
import shape_cases
import start_cases
import runtime_cases
import security_cases
import series_cases
import snapshot_cases
import state_cases
import trace_cases
import trace_start_cases
import track_cases
import truth_cases
import type_cases
import view_cases
import weather_cases
import weather_observe_cases
import window_cases
import young_cases
from harness import Failure, Lab

# The longest first, so that no lane is left with it at the end.
CASES = [*round_cases.CASES, *truth_cases.CASES, *roots_cases.CASES, *client_cases.CASES, *convert_cases.CASES, *snapshot_cases.CASES, *input_cases.CASES, *leak_cases.CASES,
         *crash_cases.CASES, *young_cases.CASES, *method_cases.CASES, *contents_cases.CASES, *beside_cases.CASES, *fault_cases.CASES,
         *churn_cases.CASES, *state_cases.CASES, *series_cases.CASES, *track_cases.CASES, *allocation_cases.CASES, *count_cases.CASES, *event_cases.CASES, *peer_cases.CASES, *trace_cases.CASES, *trace_start_cases.CASES, *shape_cases.CASES, *observe_cases.CASES, *id_cases.CASES, *type_cases.CASES, *package_cases.CASES, *portable_cases.CASES, *container_cases.CASES, *runtime_cases.CASES, *security_cases.CASES, *query_cases.CASES, *view_cases.CASES, *window_cases.CASES, *sample_cases.CASES, *start_cases.CASES, *weather_cases.CASES, *weather_observe_cases.CASES]


def problem_of(lab, case):
    with lab.case_folder():
        try:
            case(lab)
        except Failure as failure:
            return str(failure)
        except Exception:  # a case that breaks is a case that fails
            return traceback.format_exc()
    return None


def one_of(counter):
    """Takes one, if there is one left."""
    with counter.get_lock():
        counter.value -= 1
        return counter.value >= 0


def run_case(lab, name, case, second_chances):
    start = time.monotonic()
    problem = problem_of(lab, case)
    if problem and one_of(second_chances):
        print(f"UNSTEADY  {name}: tried again, for it failed so:\n{problem}", flush=True)
        problem = problem_of(lab, case)
    seconds = time.monotonic() - start
    print(f"{'FAIL' if problem else 'ok  '}  {name}  ({seconds:.1f} s)" + (f"\n{problem}" if problem else ""), flush=True)
    return problem is None


def in_parts(name, case, parts):
    """As so many cases, each of which tries its share of the places, so that several lanes have something to do."""
    def part_of(number):
        def part(lab):
            lab.part = (number, parts)
            case(lab)
        return part
    return [(f"{name}, part {number + 1} of {parts}", part_of(number)) for number in range(parts)] if parts > 1 else [(name, case)]


def run_lane(options, seed, cases, begun, passed, second_chances):
    """A process of its own, for cases change what belongs to a process. Takes the next case as long as there is one."""
    lab = Lab(options.build, options.targets or f"{options.build}/targets", seed, options.rounds, options.captures,
              options.child_kills)
    lab.faults = options.faults
    with tempfile.TemporaryDirectory(prefix="cairn-e2e-") as scratch:
        lab.scratch = Path(scratch)
        while True:
            with begun.get_lock():
                index, begun.value = begun.value, begun.value + 1
            if index >= len(cases):
                return
            if run_case(lab, *cases[index], second_chances):
                with passed.get_lock():
                    passed.value += 1


def run_lanes(options, seed, cases):
    """How many cases passed, and how many were tried again."""
    begun, passed, second_chances = (multiprocessing.Value("q", count) for count in (0, 0, options.second_chances))
    lanes = [multiprocessing.Process(target=run_lane, daemon=True,
                                     args=(options, seed + lane, cases, begun, passed, second_chances))
             for lane in range(options.lanes)]
    for lane in lanes:
        lane.start()
    for lane in lanes:
        lane.join()
    return passed.value, options.second_chances - max(0, second_chances.value)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True, help="the CMake build folder")
    parser.add_argument("--targets", help="the published targets (default: BUILD/targets)")
    parser.add_argument("--only", action="append", default=[], metavar="PATTERN", help="cases whose names match, repeatable")
    parser.add_argument("--rounds", type=int, default=200, help="attach-capture-detach rounds of the endurance case")
    parser.add_argument("--captures", type=int, default=20, help="captures in the loop against a process in full change")
    parser.add_argument("--child-kills", type=int, default=30, help="how often a forked child is killed")
    parser.add_argument("--faults", type=int, default=4, help="of each kind of hostile weather; 0: at every place there is")
    parser.add_argument("--parts", type=int, default=1, help="split each case of hostile weather so, for several lanes")
    parser.add_argument("--seed", type=int, default=None, help="of the random delays; printed at the start")
    parser.add_argument("--second-chances", type=int, default=0,
                        help="how many cases in all are tried again when they fail; each is a fault to be looked into")
    parser.add_argument("--lanes", type=int, default=1, help="how many cases run at once")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()

    chosen = [(name, case) for name, case in CASES
              if not options.only or any(fnmatch.fnmatch(name, f"*{pattern}*") for pattern in options.only)]
    chosen = [part for name, case in chosen for part in in_parts(name, case, options.parts)]
    if options.list:
        print(*(name for name, _ in chosen), sep="\n")
        return 0
    seed = options.seed if options.seed is not None else int.from_bytes(os.urandom(4), "little")
    print(f"{len(chosen)} cases, seed {seed}", flush=True)
    passed, unsteady = run_lanes(options, seed, chosen)
    if unsteady:
        print(f"{unsteady} tried again: see UNSTEADY above")
    print(f"{passed} passed, {len(chosen) - passed} failed")
    return 0 if chosen and passed == len(chosen) else 1


if __name__ == "__main__":
    sys.exit(main())
