"""`make bench-grader`: the official grade of a class, the first check of a kernel, and check(f) of every exercise.

Each figure is printed once it is there. The checks of all exercises take most of it, a quarter of an hour on two cores
that have nothing else to do.

The figures to reach on two cores: a warm check at most 1 s in the median (3 s where kernels are interpreted), the first
one after a kernel starts at most 4 s, a check of CUDA C++ that has to be compiled at most 5 s, an official grade at
most 0.5 s for each of 100 submissions, the grader's own memory at most 500 MB. Where others use the machine, the
processor's time tells more than the clock.
"""

from __future__ import annotations

import itertools
import multiprocessing
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from autograder.authoring.build import solved_notebook
from autograder.backends.cuda import CudaFunction
from autograder.grading.classroom import grade_class
from autograder.grading.executors import Workers
from autograder.grading.reading.files import Files
from autograder.grading.reading.submission import read_answers
from autograder.judging.diagnosis.mistakes import mutant_outputs, mutant_values, mutate
from autograder.notebook.check import verdict_of
from autograder.processes.sandbox import Sandbox
from autograder.processes.wall import best_level
from autograder.spec.catalogue import Lesson, exercises, lesson_named, lessons
from autograder.spec.exercise import Exercise
from autograder.spec.folders import ROOT
from autograder.spec.notebook import as_text, graft
from bench.grading.stock_nbgrader import seconds_per_submission
from simt import gpu
from simt.compiler import forget, runtime

Row = tuple[str, ...]  # what was measured, and the figures

CLASS_SIZE, STOCK_SIZE, LESSON = 100, 6, "online_softmax"
MUTANTS = 3  # of each exercise
FIRST_CHECK = """
import time; begin = time.perf_counter()
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
shell.run_line_magic("load_ext", "autograder")
from autograder.notebook.check import verdict_of
from {module} import {name}
verdict_of({name})
print(time.perf_counter() - begin)
"""


def main() -> None:
    """Print the tables, row by row."""
    os.environ["TILEWISE_WORK"] = tempfile.mkdtemp(prefix="tilewise-bench-")
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, sandbox: {best_level()}")
    lesson = lesson_named(LESSON)
    _print(f"official grade of {lesson.stem}: s and processor s per submission, peak memory", class_rows(lesson))
    _print("first check after a kernel starts, imports included: s", first_check_rows())
    _print("check(f) of CUDA C++, nothing compiled before: right, wrong, s", compile_rows())
    _print("check(f), warm: right, wrong, slowest wrong, s", check_rows())


def _print(title: str, rows: Iterable[Row]) -> None:
    print(f"\n{title}", flush=True)
    for name, *figures in rows:
        print(f"  {name:44}", *(f"{figure:>8}" for figure in figures), flush=True)


def seconds(call: Callable[[], Any]) -> float:
    begin = time.perf_counter()
    call()
    return time.perf_counter() - begin


def class_rows(lesson: Lesson) -> Iterator[Row]:
    """A class of notebooks, half of them right and the others with one mutant each, against stock nbgrader."""
    for level in dict.fromkeys((best_level(), "limits")):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        # In a process of its own, whose processor time is known at its end.
        with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
            took, behind, peak = pool.submit(_grade_a_class, lesson.stem, level).result()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        worked = behind + after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        figures = f"{took / CLASS_SIZE:.3f}", f"{worked / CLASS_SIZE:.3f}", f"{peak} MB"
        yield f"class of {CLASS_SIZE}, {level}, start-up included", *figures
    yield f"stock nbgrader, {STOCK_SIZE} notebooks", f"{seconds_per_submission(lesson, STOCK_SIZE):.3f}"


def _grade_a_class(stem: str, level: str) -> tuple[float, float, int]:
    """Seconds that it takes, those of a processor behind the wall, and the peak of the grader's own memory in MB.

    What ends with a PID namespace is counted by no parent; what a sandbox takes to start is left out.
    """
    worked: list[float] = []
    kill = Sandbox.kill

    def counted(self: Sandbox, pid: int) -> float:
        worked.append(kill(self, pid))
        return worked[-1]

    lesson = lesson_named(stem)
    names = [e.name for e in lesson.exercises]
    submissions = [
        read_answers(Files(f"student{i:03d}", ((f"{stem}.ipynb", text),))) for i, text in enumerate(_class(lesson))
    ]
    with tempfile.TemporaryDirectory() as out, ThreadPoolExecutor(os.cpu_count()) as pool:
        Sandbox.kill = counted  # type: ignore[method-assign]
        took = seconds(lambda: grade_class(submissions, names, "bench", Path(out), Workers(pool), level=level))
    return took, sum(worked), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10


def _class(lesson: Lesson) -> list[bytes]:
    solved = solved_notebook(lesson)
    mutated = itertools.cycle((e, m) for e in lesson.exercises for m in e.mutants)
    texts = []
    for i in range(CLASS_SIZE):
        exercise, mutant = next(mutated)
        theirs = {exercise.name: exercise.with_mistake(mutant) + f"\n# student {i}"} if i % 2 else {}
        texts.append(as_text(graft(solved, theirs)).encode())
    return texts


def first_check_rows() -> Iterator[Row]:
    """A new interpreter loads the extension and checks one answer."""
    for lesson in lessons():
        exercise = lesson.exercises[0]
        yield exercise.name, f"{_first_check(exercise):.2f}"


def _first_check(exercise: Exercise) -> float:
    code = FIRST_CHECK.format(module=exercise.function.__module__, name=exercise.name)
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    return float(done.stdout.strip().splitlines()[-1])


def compile_rows() -> Iterator[Row]:
    """Checks of CUDA kernels never seen before: compiled for this machine, and for GPUs where that is possible.

    Wrong: the first mutant that gives wrong values, with all the others compiled anew for its diagnosis.
    """
    for exercise in exercises().values():
        if exercise.engine.is_python:
            continue
        times = []
        for text in (exercise.source, *(exercise.with_mistake(m) for m in exercise.mutants[:1])):
            with tempfile.TemporaryDirectory() as folder:
                os.environ["XDG_CACHE_HOME"] = folder
                runtime.cache_clear()
                runtime()
                forget()
                gpu.build.cache_clear()
                mutant_values.cache_clear()
                mutant_outputs.cache_clear()
                times.append(seconds(partial(verdict_of, CudaFunction(exercise.name, text))))
        yield exercise.name, *(f"{t:.2f}" for t in times)
    del os.environ["XDG_CACHE_HOME"]
    runtime.cache_clear()


def check_rows() -> Iterator[Row]:
    """Warm checks: the solution, and some of the mutants, each with its diagnosis."""
    for exercise in exercises().values():
        step = max(1, len(exercise.mutants) // MUTANTS)
        wrong = [mutate(exercise, m) for m in exercise.mutants[::step][:MUTANTS]]
        for function in (exercise.function, *wrong):
            verdict_of(function)
        right = statistics.median(seconds(partial(verdict_of, exercise.function)) for _ in range(3))
        times = [seconds(partial(verdict_of, f)) for f in wrong]
        yield exercise.name, f"{right:.3f}", f"{statistics.median(times):.3f}", f"{max(times):.3f}"


if __name__ == "__main__":
    main()
