"""`python -m bench.grading.gpu_checks`: the first check of every Triton exercise after an edit, on a GPU.

The figures to reach on 16 cores and an H200: at most 1.5 s in the median, 4 s at worst. Nothing is compiled before:
each check begins with an empty cache of Triton's. The processes beside are warm, as after an earlier check. Wrong: the
first of the exercise's mistakes, first until it is said that a case is wrong, then with its diagnosis. Of what the
course installs it needs torch, triton, numpy, ml_dtypes, filelock and nbformat only.
"""

from __future__ import annotations

import os
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

os.environ["TRITON_CACHE_DIR"] = tempfile.mkdtemp(prefix="tilewise-triton-")  # before anything imports Triton

from autograder.backends import function_from
from autograder.judging.diagnosis.mistakes import mutant_outputs, mutant_values
from autograder.judging.prepare import PUBLIC_SEED, in_bfloat16, numbers_in_bfloat16
from autograder.judging.verdict import CaseResult
from autograder.notebook.check import verdict_of
from autograder.notebook.live.listener import Listener
from autograder.spec.catalogue import exercises
from autograder.spec.exercise import Exercise
from bench.asked import a_gpu

CACHE = Path(os.environ["TRITON_CACHE_DIR"])


def main(names: list[str]) -> None:
    """Print a line for each exercise, then the median and the worst."""
    triton = [e for e in exercises().values() if e.engine.launches_triton and (not names or e.name in names)]
    verdict_of(exercises()["vector_add"].function)  # starts the processes
    times: dict[str, list[float]] = {"right": [], "first word of wrong": [], "wrong": []}
    for exercise in triton:
        for number in numbers_in_bfloat16(exercise.name, PUBLIC_SEED):  # all is drawn, as after an earlier check
            in_bfloat16(exercise.name, number, PUBLIC_SEED)
        wrong = next((exercise.with_mistake(m) for m in exercise.mutants), "")
        said = exercise.name.ljust(26)
        for kind, text in (("right", exercise.source), ("wrong", wrong)):
            heard = FirstWord(exercise)
            took, versions, found = first_check(exercise, text, heard)
            times[kind].append(took)
            if heard.after:
                times["first word of wrong"].append(heard.after)
                said += f"first word after {heard.after:5.2f} s, "
            said += f"{kind}: {found} in {took:5.2f} s, {versions:2d} versions compiled   "
        print(said, flush=True)
    for kind, seconds in times.items():
        print(f"{kind}: median {statistics.median(seconds):.2f} s, worst {max(seconds):.2f} s")


class FirstWord(Listener):
    """after: how many seconds from now the first wrong case is known; 0.0 where none is."""

    def __init__(self, exercise: Exercise):
        super().__init__(exercise)
        self.begin, self.after = time.perf_counter(), 0.0

    def wrong(self, number: int, result: CaseResult) -> None:
        super().wrong(number, result)
        self.after = time.perf_counter() - self.begin


def first_check(exercise: Exercise, text: str, heard: Listener) -> tuple[float, int, str]:
    """Seconds, versions of kernels compiled, and the verdict."""
    shutil.rmtree(CACHE, ignore_errors=True)
    mutant_values.cache_clear()
    mutant_outputs.cache_clear()
    function = function_from(exercise, f"\n{text}", "edited")
    begin = time.perf_counter()
    verdict = verdict_of(function, listener=heard)
    took = time.perf_counter() - begin
    diagnosed = f", {verdict.diagnosis.key}" if verdict.diagnosis else ""
    return took, len(list(CACHE.glob("*/*.cubin"))), verdict.status + diagnosed


if __name__ == "__main__":
    a_gpu()
    main(sys.argv[1:])
