"""Grade a class: a map of grade_submission over an executor, resumable at any moment, then the tables.

OUT/results/STUDENT/results.json is written atomically as each submission is done; its key (submission hash, exercises,
course version, seed, limits, and what it says) decides whether it can be kept when the run is started again.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
import secrets
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, cast

from simt import compiler

from ..processes.child_link import Limits
from ..processes.files import write_atomically
from ..processes.helpers import SECONDS
from ..showing.markup import clip
from ..spec.catalogue import exercises
from ..spec.user_error import UserError
from .executors import Lost, Workers
from .fingerprint import fingerprint
from .grade import grade_submission, ungraded
from .reading.submission import Submission
from .results import SCHEMA_VERSION, as_json, seed_id, waits, wrong_in

SEED = "seed"  # the file with the secret of a class, in the folder of its results or of its nbgrader course
START = 120  # seconds that a worker may take to start


def grade_class(
    submissions: Sequence[Submission],
    exercise_names: Sequence[str],
    seed: str,
    out: Path,
    workers: Workers,
    limits: Limits | None = None,
    level: str | None = None,
    on_done: Callable[[dict[str, Any], bool], None] = lambda result, kept: None,
) -> list[dict[str, Any]]:
    """Results of all submissions, in their order. Those already under `out` with the same key are not graded again.

    level: the sandbox level to insist on. on_done is called with each result as it arrives, and whether it was kept
    from an earlier run. A worker that dies, lies, or has another version of the course, costs nobody points: its work
    is handed out again, and in the end becomes a result with the status "infra", which the next run tries again. An
    executor of which nothing comes for longer than any submission takes is not asked again.
    """
    key = partial(_key, tuple(exercise_names), seed, limits or Limits())
    results: dict[str, dict[str, Any]] = {}
    waiting: list[Submission] = []
    for submission in submissions:
        kept = _kept(result_path(out, submission.student), partial(key, submission), level)
        if kept is None or submission.unread:
            waiting.append(submission)
        else:
            results[submission.student] = kept
            on_done(kept, True)

    def done(submission: Submission, result: dict[str, Any]) -> None:
        result = {**result, "key": key(submission, result)}
        write_atomically(result_path(out, submission.student), as_json(result))
        results[submission.student] = result
        on_done(result, False)

    names, limits = tuple(exercise_names), limits or Limits()
    calls = [(grade_submission, submission, names, seed, limits, level) for submission in waiting]
    most = max((len(submission.answers.keys() & {*names}) for submission in waiting), default=0)
    accept = partial(_accepted, waiting, names, seed, level)
    for i, outcome in workers.outcomes(calls, _patience(limits, most), accept):
        lost = ungraded(waiting[i], names, seed, str(outcome)) if isinstance(outcome, Lost) else None
        done(waiting[i], lost or outcome)
    for student, result in results.items():
        if not (path := result_path(out, student)).exists():  # somebody has removed it meanwhile
            write_atomically(path, as_json(result))
    return [results[s.student] for s in submissions]


def _patience(limits: Limits, answers: int) -> float:
    """Seconds that a submission may take: a worker's start, its calls, and its kernels' compilers."""
    longest = max(SECONDS["compiles"], compiler.PATIENCE * compiler.SECONDS)
    return START + limits.submission_seconds + 2 * answers * longest  # again with the course's helpers


def _accepted(
    waiting: Sequence[Submission], names: Sequence[str], seed: str, level: str | None, number: int, result: Any
) -> dict[str, Any]:
    """A worker's result, as it is written. Raises Lost if another course made it, or it is no result of this call."""
    try:
        theirs = result["course"]["fingerprint"]
    except (LookupError, TypeError):
        theirs = None
    if theirs not in (None, fingerprint()):
        raise Lost(f"a worker's course has the fingerprint {theirs}, this one {fingerprint()}; install this one there")
    if wrong := wrong_in(result, ungraded(waiting[number], names, seed, ""), level):
        raise Lost(f"what the executor gave is no result of this submission ({wrong}); mend what it runs")
    return cast(dict[str, Any], result)


def answered(submissions: Sequence[Submission]) -> list[str]:
    """All exercises of every lesson in which at least one submission answers something, in the order of the course."""
    topics = {exercises()[name].topic for s in submissions for name in s.answers}
    return [e.name for e in exercises().values() if e.topic in topics]


def class_seed(out: Path, given: str | None) -> str:
    """The secret seed of this class: as given, else the one in OUT/seed (readable by its owner only), else new.

    Raises UserError if the one given is blank, which everybody could guess, or no line of text that a file keeps as it
    is, and if the file holds none.
    """
    path = out / SEED
    if given is not None and not given.strip():
        raise UserError("the seed is empty; give one that nobody guesses, or leave it out for a random one")
    if given is not None and not given.strip().isprintable():
        raise UserError("the seed is no line of plain text; give one, or leave it out for a random one")
    kept = path.read_bytes().decode(errors="replace").strip() if given is None and path.exists() else None
    if kept is not None and (not kept or not kept.isprintable() or "\ufffd" in kept):
        raise UserError(
            f"{path} holds no seed; put the class's seed back there, or remove it, and all are graded anew by another"
        )
    seed = (given or kept or secrets.token_hex(16)).strip()
    if seed != kept:
        write_atomically(path, seed + "\n", mode=0o600)
    return seed


def result_path(out: Path, student: str) -> Path:
    """Where a student's result lies. Names that are not plain file names get a hash, so that no two collide."""
    safe = re.sub(r"[^\w.+@ -]", "_", student)[:80].encode()[:200].decode(errors="ignore")  # a name has 255 bytes
    if safe != student or not safe or safe.startswith("."):
        safe = f"{safe.lstrip('.')}~{hashlib.sha256(student.encode()).hexdigest()[:16]}"  # no plain name has a ~
    return out / "results" / safe / "results.json"


def write_grades(results: Sequence[dict[str, Any]], path: Path) -> None:
    """grades.csv: a row per student, points per exercise, total and maximum.

    What waits to be graded has no points, and its student no total: a gradebook would take either as final.
    """
    names = [entry["exercise"] for entry in results[0]["exercises"]] if results else []
    rows = [["student", *names, "points", "max_points", "notes"]]
    for result in results:
        points = {e["exercise"]: "" if e["status"] == "infra" else e["points"] for e in result["exercises"]}
        total = "" if waits(result) else result["points"]
        notes = "; ".join(map(clip, [*result["submission"]["notes"], *_remarks(result)]))  # a cell has a longest text
        rows.append([result["student"], *(points[n] for n in names), total, result["max_points"], notes])
    text = io.StringIO()
    csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(
        [[_plain(cell) for cell in row] for row in rows]
    )
    write_atomically(path, text.getvalue())


def _remarks(result: dict[str, Any]) -> Iterator[str]:
    for entry in result["exercises"]:
        if entry["status"] in ("flagged", "infra", "timeout", "memory"):
            yield f"{entry['exercise']}: {'waits' if entry['status'] == 'infra' else entry['status']}"


def _plain(cell: Any) -> Any:
    """A cell of one line that no spreadsheet treats as a formula."""
    if not isinstance(cell, str):
        return cell
    cell = "".join(c if c.isprintable() else " " for c in cell)
    begins = unicodedata.normalize("NFKC", cell).lstrip()  # East Asian spreadsheets take wide signs for these, too
    return "'" + cell if begins.startswith(("=", "+", "-", "@")) else cell


def _key(names: Sequence[str], seed: str, limits: Limits, submission: Submission, result: dict[str, Any]) -> str:
    """Of all that decides a result, and of what it says: one that is somebody else's, or was changed, has another."""
    answer, question = (submission.student, submission.hash, list(names)), (fingerprint(), seed_id(seed), str(limits))
    said = {name: value for name, value in result.items() if name != "key"}
    text = json.dumps([answer, question, SCHEMA_VERSION, said], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _kept(path: Path, key: Callable[[dict[str, Any]], str], level: str | None) -> dict[str, Any] | None:
    """An earlier run's result if it has its key, was reached behind the required sandbox, and is not "infra"."""
    try:
        result = json.loads(path.read_text(encoding="utf-8"))
        fits = result["key"] == key(result) and level in (None, result["sandbox"])
        return result if fits and all(entry["status"] != "infra" for entry in result["exercises"]) else None
    except (OSError, ValueError, LookupError, TypeError, RecursionError):  # the last: lists in lists, without end
        return None
