"""`make bench-grader`: the official grade of a class, the first check of a kernel, and check(f) of every exercise.

The last takes most of an hour on two cores, since each exercise's mistakes are checked too.

The figures to reach on two cores: a warm check at most 1 s in the median (3 s where kernels are interpreted), the first
one after a kernel starts at most 4 s, a check of CUDA C++ that has to be compiled at most 5 s, an official grade at
most 0.5 s for each of 100 submissions, the grader's own memory at most 1 GB.
"""

from __future__ import annotations

import itertools
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from rich.console import Console
from rich.progress import track
from rich.table import Table

from autograder.authoring.build import solved_notebook
from autograder.backends.cuda import CudaFunction
from autograder.grading.classroom import grade_class
from autograder.grading.reading.files import Files
from autograder.grading.reading.submission import read_answers
from autograder.judging.diagnosis.mistakes import mutant_observation, mutant_outputs, mutate
from autograder.notebook.check import verdict_of
from autograder.processes.wall import best_level
from autograder.spec.catalogue import Lesson, exercises, lesson_named, lessons
from autograder.spec.exercise import Exercise
from autograder.spec.folders import ROOT
from autograder.spec.notebook import as_text, graft
from bench.grading.stock_nbgrader import seconds_per_submission
from simt import gpu
from simt.compiler import forget, runtime

T = TypeVar("T")

CLASS_SIZE, STOCK_SIZE, LESSON = 100, 6, "online_softmax"
FIRST_CHECK = """
import time; begin = time.perf_counter()
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
shell.run_line_magic("load_ext", "autograder")
from {module} import {name}
shell.user_ns["check"]({name})
print(time.perf_counter() - begin)
"""


def main() -> None:
    """Print the tables."""
    console = Console()
    cores = os.cpu_count()
    console.print(f"{platform.machine()}, {cores} cores, Python {platform.python_version()}, sandbox: {best_level()}\n")
    os.environ["TILEWISE_WORK"] = tempfile.mkdtemp(prefix="tilewise-bench-")
    console.print(class_table(lesson_named(LESSON)))
    console.print(first_check_table())
    console.print(compile_table())
    console.print(check_table())


def _shown(items: Collection[T], what: str) -> Iterable[T]:
    """The items, with a progress bar, since a table appears only when it is complete."""
    return track(items, what, console=Console(stderr=True), transient=True)


def seconds(call: Callable[[], Any]) -> float:
    begin = time.perf_counter()
    call()
    return time.perf_counter() - begin


def check_table() -> Table:
    """Warm checks: the solution, and the slowest of the mutants with its diagnosis."""
    table = Table("exercise", "right, median s", "wrong, median s", "wrong, slowest s", title="check(f), warm")
    for exercise in _shown(exercises().values(), "warm checks"):
        wrong = [mutate(exercise, m) for m in exercise.mutants]
        for function in (exercise.function, *wrong):
            verdict_of(function)
        right = statistics.median(seconds(partial(verdict_of, exercise.function)) for _ in range(5))
        times = [seconds(partial(verdict_of, f)) for f in wrong]
        table.add_row(exercise.name, f"{right:.3f}", f"{statistics.median(times):.3f}", f"{max(times):.3f}")
    return table


def compile_table() -> Table:
    """Checks of CUDA kernels never seen before: compiled for this machine, and for GPUs where that is possible.

    Wrong: the first mutant that gives wrong values, with all the others compiled anew for its diagnosis.
    """
    table = Table("exercise", "right, s", "wrong, s", title="check(f) of CUDA C++, nothing compiled before")
    cuda = [exercise for exercise in exercises().values() if exercise.backend == "cuda"]
    for exercise in _shown(cuda, "checks of CUDA C++"):
        times = []
        for text in (exercise.source, *(exercise.with_mistake(m) for m in exercise.mutants[:1])):
            with tempfile.TemporaryDirectory() as folder:
                os.environ["XDG_CACHE_HOME"] = folder
                runtime.cache_clear()
                runtime()
                forget()
                gpu.build.cache_clear()
                mutant_observation.cache_clear()
                mutant_outputs.cache_clear()
                times.append(seconds(partial(verdict_of, CudaFunction(exercise.name, text))))
        table.add_row(exercise.name, *(f"{t:.2f}" for t in times))
    del os.environ["XDG_CACHE_HOME"]
    runtime.cache_clear()
    return table


def first_check_table() -> Table:
    """A new interpreter loads the extension and checks one answer."""
    table = Table("exercise", "s", title="first check after a kernel starts, imports included")
    for lesson in _shown(lessons(), "first checks"):
        exercise = lesson.exercises[0]
        table.add_row(exercise.name, f"{_first_check(exercise):.2f}")
    return table


def _first_check(exercise: Exercise) -> float:
    code = FIRST_CHECK.format(module=exercise.function.__module__, name=exercise.name)
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    return float(done.stdout.strip().splitlines()[-1])


def class_table(lesson: Lesson) -> Table:
    """A class of notebooks, half of them right and the others with one mutant each, against stock nbgrader."""
    names = [e.name for e in lesson.exercises]
    submissions = [
        read_answers(Files(f"student{i:03d}", ((f"{lesson.stem}.ipynb", text),)))
        for i, text in enumerate(_class(lesson))
    ]
    table = Table("", "s per submission", "peak memory", title=f"{lesson.stem}, official grade")
    with tempfile.TemporaryDirectory() as out, ThreadPoolExecutor(os.cpu_count()) as pool:
        took = seconds(lambda: grade_class(submissions, names, "bench", Path(out), pool))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    table.add_row(
        f"Tilewise, class of {len(submissions)}, start-up included", f"{took / len(submissions):.3f}", f"{peak:.0f} MB"
    )
    table.add_row(f"stock nbgrader, {STOCK_SIZE} notebooks", f"{seconds_per_submission(lesson, STOCK_SIZE):.3f}", "")
    return table


def _class(lesson: Lesson) -> list[bytes]:
    solved = solved_notebook(lesson)
    mutated = itertools.cycle((e, m) for e in lesson.exercises for m in e.mutants)
    texts = []
    for i in range(CLASS_SIZE):
        exercise, mutant = next(mutated)
        theirs = {exercise.name: exercise.with_mistake(mutant) + f"\n# student {i}"} if i % 2 else {}
        texts.append(as_text(graft(solved, theirs)).encode())
    return texts


if __name__ == "__main__":
    main()
