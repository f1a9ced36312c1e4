"""Checking at every save, of what is no longer as it was checked."""

from __future__ import annotations

import ast
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from ..grading.reading.files import kind_of
from ..grading.reading.submission import Answer, Submission, named_by_cells, read_files
from ..grading.reading.surroundings import helpers_of
from ..grading.session import Allowance
from ..judging.verdict import Verdict
from ..processes.child_link import Limits
from ..showing.terminal import told_every
from ..spec.catalogue import exercises
from ..spec.code.leading import leading_to
from ..spec.user_error import UserError
from .submit import cards, notes_on, public_verdicts, read_for

SECONDS = 0.2  # between two looks at the files
GONE = 10  # looks at which a file is not there, after which it is said


def check_at_every_save(paths: Sequence[Path], chosen: Sequence[str] = ()) -> Iterator[tuple[str, bool]]:
    """What check_files yields, and after each save, without end, the same of the answers that it changed.

    An answer changes with the helpers that it calls. A save also ends the check at hand, which may never end, and what
    is left comes after it. Raises UserError as check_files does, at first; of a file that cannot be used later the
    reason is yielded, and the next save is waited for.
    """
    state = _State(paths)
    before, broken, said = read_for(paths, chosen), False, set[str]()
    left = [name for name in chosen or exercises() if _there(name, before)]
    while True:
        notes = [note for note in notes_on(paths, before) if note not in said]
        yield from ((note, True) for note in notes)
        said.update(notes)
        done = set[str]()
        if left and not broken:
            yield from cards(paths, _until_saved(before, left, done, state))
        left = [name for name in left if name not in done]  # while the file is broken, all of them
        for gone in state.wait_for_save():
            yield f"{gone} is not there any more; it is checked again when it is.", False
        try:
            now = read_files(paths)[1]
        except UserError as error:
            yield f"{error}{'' if str(error).endswith('?') else '.'}", False
            broken = True
            continue
        old, new = _own_parts(before), _own_parts(now)
        changed = [name for name in chosen or exercises() if _answer(name, old) != _answer(name, new)]
        left = [name for name in exercises() if name in {*left, *changed} and _there(name, now)]
        if left:
            yield f"Saved; checking {', '.join(left)} ...", True
        elif broken:
            yield "Saved; it can be read again, and no answer is another one.", True
        before, broken = now, False


def _until_saved(submission: Submission, names: Sequence[str], done: set[str], state: _State) -> Iterator[Verdict]:
    """The verdicts up to a save, which ends the check at hand; the names of these go into `done`."""
    allowance = Allowance(Limits())

    def look() -> None:
        if state.is_old():
            allowance.end()

    with told_every(SECONDS, look):
        for verdict in public_verdicts(submission, names, allowance):
            done.add(verdict.name)
            yield verdict
            if state.is_old():
                return


def _there(name: str, submission: Submission) -> bool:
    return name in submission.answers or name in submission.untouched


def _answer(name: str, answers: dict[str, Answer]) -> list[Answer | None]:
    """The answer with those that it calls."""
    return [answers.get(called) for called in (name, *helpers_of(name, answers))]


def _own_parts(submission: Submission) -> dict[str, Answer]:
    """The answers, each in a module, which holds others too, without what does not belong to it."""
    return {name: _own_part(name, answer) for name, answer in submission.answers.items()}


def _own_part(name: str, answer: Answer) -> Answer:
    if kind_of(answer.file) != ".py":
        return answer
    try:
        return replace(answer, source=ast.unparse(leading_to(name, answer.source)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return answer


class _State:
    """What tells one state of the files from another: of those that are named, and of kernels beside them (%cuda)."""

    def __init__(self, paths: Sequence[Path]):
        self.paths = paths
        self.look()

    def look(self) -> None:
        """Take the state of now for the one that is known."""
        self.beside = [file for path in self.paths for file in named_by_cells(path)]
        self.known = self._now()

    def _now(self) -> list[tuple[int, ...] | None]:
        return [_stamp(path) for path in (*self.paths, *self.beside)]

    def is_old(self) -> bool:
        return self._now() != self.known

    def wait_for_save(self) -> Iterator[str]:
        """Until a file is another than before, and all are there: an editor may put a new one in its place.

        Yields, once, the names of files that are gone for longer than that takes.
        """
        looks = 0
        while not self.is_old() or not all(path.exists() for path in self.paths):
            gone = [path.name for path in self.paths if not path.exists()]
            looks = looks + 1 if gone else 0
            if looks == GONE:
                yield " and ".join(gone)
            time.sleep(SECONDS)
        self.look()


def _stamp(path: Path) -> tuple[int, ...] | None:
    """None of a file that is not there."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns
