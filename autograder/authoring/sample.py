"""A sample class, made on the spot and graded through the whole pipeline: python -m autograder.authoring.sample.

It hands in four lessons: functions in numpy, Triton kernels, CUDA kernels, and an object with state. Its students make
the course's own mistakes: one is always right, one never began, and each of the others makes one mutant's mistake in
every exercise.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from ..grading.class_run import run
from ..notebook.submit import zip_bytes
from ..spec import notebook
from ..spec.catalogue import Lesson, lesson_named
from ..spec.exercise import Exercise
from ..spec.notebook import as_text
from .build import student_notebook

FOLDER = Path("results", "sample-class")
SEED = "a sample class"
SECONDS = 2.0  # for the one with an endless loop
MISTAKES = 6
TOPICS = ("softmax", "fused_softmax", "cuda_softmax", "kv_cache")

Answers = Callable[[Exercise], "str | None"]  # a student's source for an exercise; None leaves the starter


def main() -> None:
    """Make the class in results/sample-class and grade it."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    write_class(FOLDER / "submissions")
    run(FOLDER / "submissions", FOLDER, seed=SEED, seconds=SECONDS)


def write_class(folder: Path) -> None:
    """Write the submissions, one entry per student: folders with a notebook per lesson, and one zip."""
    folder.mkdir(parents=True)
    for student, answers in students():
        files = [
            (f"{lesson.stem}.ipynb", submission_notebook(lesson, answers).encode())
            for lesson in map(lesson_named, TOPICS)
        ]
        if student == "zipped":
            (folder / f"{student}.zip").write_bytes(zip_bytes(files))
            continue
        for name, data in files:
            path = folder / student / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(data)


def students() -> Iterator[tuple[str, Answers]]:
    """Names and answers of the class."""
    yield "all-right", lambda exercise: exercise.source
    yield "zipped", lambda exercise: exercise.source
    yield "untouched", lambda exercise: None
    yield "half-done", _first_of_each_lesson
    yield "syntax-error", _in_first(lambda exercise: exercise.source.replace(":\n", "\n", 1))
    yield "endless-loop", _in_first(lambda exercise: f"def {exercise.name}(*_, **__):\n    while True:\n        pass\n")
    for i in range(MISTAKES):
        yield f"mistake-{i + 1}", partial(mistaken, number=i)


def mistaken(exercise: Exercise, number: int) -> str:
    """The solution with its mutant of that number, counted around."""
    return exercise.with_mistake(exercise.mutants[number % len(exercise.mutants)])


def submission_notebook(lesson: Lesson, answers: Answers) -> str:
    """The lesson's notebook with the student's answers in its solution cells."""
    theirs = {e.name: source.rstrip("\n") for e in lesson.exercises if (source := answers(e)) is not None}
    return as_text(notebook.graft(student_notebook(lesson), theirs))


def _first_of_each_lesson(exercise: Exercise) -> str | None:
    return exercise.source if _is_first(exercise) else None


def _in_first(change: Callable[[Exercise], str]) -> Answers:
    """Solutions everywhere but in the first exercise of each lesson."""
    return lambda exercise: change(exercise) if _is_first(exercise) else exercise.source


def _is_first(exercise: Exercise) -> bool:
    return any(lesson_named(topic).exercises[0] == exercise for topic in TOPICS)


if __name__ == "__main__":
    main()
