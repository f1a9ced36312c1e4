"""A class run as the instructor sees it: who is graded on what, a progress bar, a table, grades.csv and report.html."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from ..processes.child_link import Limits
from ..processes.files import write_atomically
from ..processes.wall import NO_BUBBLEWRAP, best_level, out_of_reach
from ..showing.markup import clip
from ..showing.terminal import SILENT, saying, show, told_every
from ..spec.catalogue import exercises, lesson_named
from ..spec.index import not_here
from ..spec.user_error import UserError
from .class_report import report
from .class_table import class_table
from .classroom import answered, class_seed, grade_class, write_grades
from .executors import Workers, made_by, maker_of_executors
from .out_folder import held
from .reading.files import passed_over
from .reading.limited import read_submissions
from .reading.submission import Submission
from .results import waits

WALL = "bubblewrap"
FEW = 10  # names in the summary


def run(
    path: Path,
    out: Path,
    lesson_names: Sequence[str] = (),
    seed: str | None = None,
    jobs: int | None = None,
    seconds: float = Limits.seconds,
    require_sandbox: bool = False,
    executor: str = "local",
) -> list[dict[str, Any]]:
    """Grade the submissions under `path` into the folder `out` and print the outcome; the results, by student.

    lesson_names: the lessons to grade; by default all in which somebody answered something. seed: by default the secret
    one in `out`. seconds: the limit of one call. Raises UserError where there is nothing to grade or no sandbox.
    """
    level = best_level()
    if require_sandbox and level != WALL:
        raise UserError(NO_BUBBLEWRAP)
    if path.is_dir() and out.resolve().is_relative_to(path.resolve()):
        raise UserError(
            f"--out {out} lies among the submissions and would be taken for one; choose a folder beside them"
        )
    if executor == "local":
        with saying("starting the sandbox"):
            missing = out_of_reach()
        if missing:
            raise UserError(f"{missing}; nothing can be graded here. Install the course anew, see the README")
    make = maker_of_executors(executor)
    with held(out):
        results, n_kept = _graded(path, out, lesson_names, seed, jobs, seconds, require_sandbox, executor, make, level)
    show(class_table(results))  # out of it, since what cannot be printed says nothing of the folder
    for line in _summary(results, n_kept, out):
        print(line)
    return results


def _graded(
    path: Path, out: Path, lesson_names: Sequence[str], seed: str | None, jobs: int | None, seconds: float,
    require_sandbox: bool, executor: str, make: Callable[[int], Any], level: str,
) -> tuple[list[dict[str, Any]], int]:  # fmt: skip
    """The results, and how many of them are of an earlier run."""
    says = Console(stderr=True, highlight=False, soft_wrap=True, markup=False, emoji=False)  # names are as they are
    seed = class_seed(out, seed)
    if path.exists():
        says.print(f"Reading {path}.")
    if others := passed_over(path):
        listed = ", ".join(clip(name, 40) for name in others[:FEW]) + (", ..." if others[FEW:] else "")
        no_entry = "hidden, a link, macOS's own, or no folder, zip, notebook, .py or .cu file"
        says.print(f"Not looked at, since each is {no_entry}: {listed}")
    with _counted(says, "read") as tell:
        submissions = read_submissions(path, tell)
    names = exercise_names(submissions, lesson_names)
    jobs = min(jobs or os.cpu_count() or 1, len(submissions))
    make_one = partial(made_by, make, executor, jobs)
    workers = Workers(make_one(), make_one)
    if level != WALL:
        says.print("Warning: without bubblewrap submitted code is limited, but not isolated; see `tilewise doctor`.")
    what = [f"{n} {noun}{'s' * (n != 1)}" for n, noun in ((len(submissions), "submission"), (len(names), "exercise"))]
    says.print(f"Grading {' on '.join(what)}, {jobs} at a time.")
    given = {name for submission in submissions for name in submission.answers}
    waiting = [n for n in names if n in given and not_here(exercises()[n])] if executor == "local" else []
    if waiting:
        says.print(
            f"Warning: answers to {', '.join(waiting)} will wait, because they need Triton, which is not installed "
            "here; start the same command again on a machine that has it."
        )
    kept: list[bool] = []

    def on_done(result: dict[str, Any], was_kept: bool) -> None:
        kept.append(was_kept)
        tell(len(kept), len(submissions))

    try:
        with _counted(says, "graded") as tell:
            tell(0, len(submissions))
            wall = WALL if require_sandbox else None
            results = grade_class(submissions, names, seed, out, workers, Limits(seconds=seconds), wall, on_done)
        class_seed(out, seed)  # once more, should somebody have removed it meanwhile
        write_grades(results, out / "grades.csv")
        write_atomically(out / "report.html", report(results))
    finally:
        workers.close()
    return results, sum(kept)


@contextlib.contextmanager
def _counted(says: Console, done: str) -> Iterator[Callable[[int, int], None]]:
    """A bar of how many are `done`, and of how many, as the context tells it; a line now and then where there is no
    terminal to draw it on.
    """
    columns = TextColumn(done), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    bar = Progress(*columns, console=says)
    task = bar.add_task("", total=None)

    def so_far() -> None:
        if not says.is_terminal:
            says.print(f"{bar.tasks[0].completed:g} of {bar.tasks[0].total or 0:g} {done}")

    with bar, told_every(SILENT, so_far):
        yield lambda n, of: bar.update(task, completed=n, total=of)


def exercise_names(submissions: Sequence[Submission], lesson_names: Sequence[str]) -> list[str]:
    """The exercises of the named lessons; with none named, of the lessons in which somebody answered something."""
    try:
        names = [e.name for lesson in lesson_names for e in lesson_named(lesson).exercises]
    except LookupError as error:
        raise UserError(str(error)) from None
    names = list(dict.fromkeys(names or answered(submissions)))
    if not names:
        said = [clip(note) for s in submissions for note in (*s.notes, s.unread) if note]
        why = f" ({'; '.join(said[:FEW])}{f'; and {len(said) - FEW} more' * (len(said) > FEW)})" if said else ""
        raise UserError(f"nobody answered anything here{why}; name what to grade, as in --lesson 01_softmax")
    return names


def who_waits(results: Sequence[dict[str, Any]]) -> list[str]:
    """The students of whom something could not be graded here."""
    return [result["student"] for result in results if waits(result)]


def _summary(results: Sequence[dict[str, Any]], kept: int, out: Path) -> list[str]:
    lost = who_waits(results)
    lines = [f"{len(results) - kept - len(lost)} graded, {kept} kept from an earlier run."]
    for result in results:
        lines += [f"{clip(result['student'], 60)}: {clip(note)}" for note in result["submission"]["notes"]]
    if lost:
        names = ", ".join(clip(name, 30) for name in lost[:FEW]) + (f" and {len(lost) - FEW} more" * (len(lost) > FEW))
        lines.append(
            f"Not graded to the end: {len(lost)}, which have no total in grades.csv; report.html says why: {names}. "
            "They lose no points: mend that and start the same command again."
        )
    return [*lines, f"Grades: {out / 'grades.csv'}", f"Report: {out / 'report.html'}"]
