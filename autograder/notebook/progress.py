"""How far a learner is: one line for each exercise in a plain text file, and the map of the course drawn from it."""

from __future__ import annotations

import contextlib
import math
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from filelock import FileLock

from ..processes.files import write_atomically
from ..showing.course_list import Node, Stop, course_list
from ..showing.markup import GREEN, Shown, esc, frame, heading, number, prose, word
from ..spec import folders, index
from ..spec.user_error import UserError

if TYPE_CHECKING:
    from ..judging.verdict import Verdict

FILE, OLD_FILE = ".progress.tsv", "progress.tsv"  # no name of a file that JupyterLab lists among the lessons
SECONDS = 5.0  # that a check waits for another writer
HEADER = "# exercise\tstatus\tpoints\tbest\thints\tattempts\tchanged"


@dataclass(frozen=True)
class Entry:
    """One line of the file. `best` never falls. hints: the rungs that were opened. changed: ISO 8601, to the second.

    `rest` holds columns that this version does not know; they are written back unchanged.
    """

    name: str
    status: str = "not_attempted"
    points: float = 0.0
    best: float = 0.0
    hints: tuple[int, ...] = ()
    attempts: int = 0
    changed: str = ""
    rest: tuple[str, ...] = ()

    def line(self) -> str:
        hints = ",".join(map(str, self.hints)) or "-"
        fields = (self.name, self.status, f"{self.points:g}", f"{self.best:g}", hints, str(self.attempts), self.changed)
        return "\t".join(fields + self.rest)


def record(verdict: Verdict) -> None:
    """Record the outcome of a check. An untouched starter is not an attempt; a failure of the grader is no entry."""
    if verdict.status == "infra":
        return
    attempted = verdict.status != "not_attempted"

    def change(entry: Entry) -> Entry:
        best = max(entry.best, verdict.points)
        attempts = entry.attempts + attempted
        return replace(entry, status=verdict.status, points=verdict.points, best=best, attempts=attempts)

    _update(verdict.name, change)


def record_answer(question: str, right: bool) -> None:
    """Record the answer to a question: the status is "right" or "wrong", and once right it stays right."""

    def change(entry: Entry) -> Entry:
        status = "right" if right or entry.status == "right" else "wrong"
        return replace(entry, status=status, attempts=entry.attempts + 1)

    _update(question, change)


def record_hint(exercise_name: str, rung: int) -> None:
    """Record that a rung of the hints was opened."""
    _update(exercise_name, lambda entry: replace(entry, hints=tuple(sorted({*entry.hints, rung}))))


def rungs(exercise_name: str) -> tuple[int, ...]:
    """The rungs of the hints that were opened, in order."""
    entry = read().get(exercise_name)
    return entry.hints if entry else ()


def read() -> dict[str, Entry]:
    """All entries by name; empty if there is no readable file."""
    try:
        lines = _lines(_file())
    except OSError:
        return {}
    found: dict[str, Entry] = {}
    for line in lines:
        if isinstance(line, Entry):
            found[line.name] = _merged(found[line.name], line) if line.name in found else line
    return found


def folder() -> Path:
    """The folder of the progress file: TILEWISE_WORK if set, else the course's work/, else tilewise/ in the home."""
    chosen = os.environ.get("TILEWISE_WORK")
    if chosen:
        return Path(chosen).expanduser()
    try:
        ours = folders.WORK.expanduser()
        ours.mkdir(parents=True, exist_ok=True)
        if os.access(ours, os.W_OK):
            return ours
    except OSError:
        pass
    return Path.home() / "tilewise"


def counts(path: Path) -> bool:
    """Whether a file is in the learner's folder: what lies elsewhere is checked too, and is no progress."""
    return path.resolve().is_relative_to(folder().resolve())


def _file() -> Path:
    """The progress file, which takes over what an earlier version kept under another name."""
    path, old = folder() / FILE, folder() / OLD_FILE
    if old.exists() and not path.exists():
        with contextlib.suppress(OSError):
            os.replace(old, path)
            old.with_suffix(".lock").unlink(missing_ok=True)
    return path


def copy_of(stem: str) -> Path:
    """The learner's copy of the lesson. Raises UserError where there is none."""
    path = folder() / f"{stem}.ipynb"
    if not path.exists():
        raise UserError(f"{path} is not there; `tilewise lab` makes your copy of the lesson")
    return path


def _update(name: str, change: Callable[[Entry], Entry]) -> None:
    """Replace the entry of `name` by `change` of it. Never raises: a check works even where nothing can be written."""
    path = _file()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with _locked(path):
            lines = _lines(path)
            old = [line for line in lines if isinstance(line, Entry) and line.name == name]
            entry = Entry(name)
            for line in old:
                entry = _merged(entry, line) if entry.changed else line
            new = replace(change(entry), changed=datetime.now().astimezone().isoformat(timespec="seconds"))
            at = lines.index(old[0]) if old else len(lines)
            kept = [line for line in lines if line not in old]
            kept.insert(at, new)
            _write(path, kept)
    except OSError as error:
        _warn(str(path.parent), error.strerror or str(error))


def _lines(path: Path) -> list[Entry | str]:
    """The file line by line: an Entry where a line is one, else the line unchanged."""
    if not path.exists():
        return [HEADER]
    text = path.read_bytes().decode("utf-8", "surrogateescape")
    return [_parse(line) or line for line in text.removesuffix("\n").split("\n")]


def _parse(line: str) -> Entry | None:
    fields = line.split("\t")
    if line.startswith("#") or len(fields) < 7 or not fields[0]:
        return None
    name, status, points, best, hints, attempts, changed, *rest = fields
    try:
        opened = tuple(sorted({int(rung) for rung in hints.split(",")})) if hints != "-" else ()
        entry = Entry(name, status, float(points), float(best), opened, int(attempts), changed, tuple(rest))
    except ValueError:
        return None
    return entry if math.isfinite(entry.points) and math.isfinite(entry.best) else None


def _merged(a: Entry, b: Entry) -> Entry:
    """Two lines of one exercise merged: the later one, with the best of both."""
    first, last = sorted((a, b), key=lambda entry: entry.changed)
    hints = tuple(sorted({*first.hints, *last.hints}))
    return replace(last, best=max(a.best, b.best), hints=hints, attempts=max(a.attempts, b.attempts))


def _write(path: Path, lines: list[Entry | str]) -> None:
    text = "".join((line.line() if isinstance(line, Entry) else line) + "\n" for line in lines)
    write_atomically(path, text.encode("utf-8", "surrogateescape"))


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    """One writer at a time. The lock is a separate file, since the other is replaced.

    Where there are no locks, or another holds this one too long, the entry is written all the same: two writers at once
    are rare, and then one line is lost, not the file.
    """
    lock = FileLock(path.with_suffix(".lock"), timeout=SECONDS, poll_interval=0.01, fallback_to_soft=False)
    with contextlib.ExitStack() as held:
        with contextlib.suppress(OSError):
            held.enter_context(lock)
        yield


@cache
def _warn(where: str, why: str) -> None:
    """Say once that nothing is saved."""
    said = f"Your progress is not saved, because {where} cannot be written ({why}); checks work all the same."
    print(said, "Mend that, or set TILEWISE_WORK to another folder.", file=sys.stderr)


def progress() -> Shown:
    """The map of the course: every exercise, the points so far, and what comes next."""
    stops = _stops()
    earned, possible = sum(s.earned for s in stops), sum(s.possible for s in stops)
    missing = index.without_triton()
    coming = next(_open(stops), None)
    total = f"{number(earned)} of {number(possible)} points"
    if coming is None:
        after = "Every exercise that works here is solved." if missing else "Every exercise is solved."
    else:
        after = f"Next: {coming[1].name} in {_where(coming[0])}"
    lines = [f"Tilewise: {total}"]
    for s in stops:
        lines.append(f"{s.number:02d} {s.title:<46} {number(s.earned):>6} / {number(s.possible)}{_asked(s)}")
        for e in s.exercises:
            sign = "x" if e.share == 1 else "~" if e.share else " "
            lines.append(f"   [{sign}] {e.name:<42} {number(e.earned):>6} / {number(e.possible)}")
    lines += [f"{missing}."] if missing else []
    lines.append(after)
    name = coming[1].name if coming else ""
    head = heading(word("Tilewise", GREEN), esc(total), aside=esc(after))
    note = prose(f"{missing}.") if missing else ""
    return Shown("\n".join(lines), frame(GREEN, head, course_list(stops, name), note, label="Progress"))


def unfinished() -> list[str]:
    """The stems of the lessons in which an exercise that works here has points left, in order."""
    return list(dict.fromkeys(stop.stem for stop, _ in _open(_stops())))


def _stops() -> list[Stop]:
    entries = read()
    return [_stop(lesson, entries) for lesson in index.contents()]


def _open(stops: Sequence[Stop]) -> Iterator[tuple[Stop, Node]]:
    """The exercises that work here and have points left, in order."""
    waits = {exercise.name for lesson in index.contents() for exercise in lesson.exercises if index.not_here(exercise)}
    return ((s, e) for s in stops for e in s.exercises if e.earned < e.possible and e.name not in waits)


def _where(stop: Stop) -> str:
    """The shortest name of the learner's copy of a lesson from here; without a copy, the lesson."""
    copy, here = folder().resolve() / f"{stop.stem}.ipynb", Path.cwd()
    if not copy.exists():
        return f"lesson {stop.stem}; tilewise lab makes your copy of it"
    bases = (base for base in (folders.ROOT, here) if copy.is_relative_to(base) and here.is_relative_to(base))
    base = next(bases, None)
    return str(copy.relative_to(base) if base else copy)


def _stop(lesson: index.Contents, entries: dict[str, Entry]) -> Stop:
    def earned(exercise: index.Listed) -> float:
        entry = entries.get(exercise.name)
        return min(entry.best, exercise.points) if entry else 0.0

    solved = [Node(e.name, earned(e), e.points) for e in lesson.exercises]
    right = sum(name in entries and entries[name].status == "right" for name in lesson.questions)
    copy = folder() / f"{lesson.stem}.ipynb"
    address = quote(os.path.relpath(copy)) if copy.exists() else ""  # as seen from the notebook that shows it
    return Stop(lesson.number, lesson.stem, lesson.title, solved, right, len(lesson.questions), address)


def _asked(stop: Stop) -> str:
    return f"   questions {stop.right} / {stop.questions}" if stop.questions else ""
