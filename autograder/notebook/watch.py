"""Checking at every save, of what is no longer as it was checked."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..grading.reading.submission import Answer, Submission, read_files
from ..grading.reading.surroundings import helpers_of
from ..spec.catalogue import exercises
from ..spec.user_error import UserError
from .submit import cards

SECONDS = 0.2  # between two looks at the files


def check_at_every_save(paths: Sequence[Path], chosen: Sequence[str] = ()) -> Iterator[tuple[str, bool]]:
    """What check_files yields, and after each save, without end, the same of the answers that it changed.

    An answer changes with the helpers that it calls. Raises UserError as check_files does, at first; of a file that
    cannot be used later the reason is yielded, and the next save is waited for.
    """
    saved = _stamps(paths)
    before, broken = read_files(paths)[1], False
    yield from cards(before, chosen)
    while True:
        saved = _next_save(paths, saved)
        try:
            now = read_files(paths)[1]
        except UserError as error:
            yield f"{error}.", False
            broken = True
            continue
        if changed := [name for name in chosen or exercises() if _answer(name, before) != _answer(name, now)]:
            yield f"Saved; checking {', '.join(changed)} ...", True
            yield from cards(now, changed)
        elif broken:
            yield "Saved; it can be read again, and no answer is another one.", True
        before, broken = now, False


def _answer(name: str, submission: Submission) -> list[Answer | None]:
    """The answer with those that it calls."""
    answers = submission.answers
    return [answers.get(called) for called in (name, *helpers_of(name, answers))]


def _next_save(paths: Sequence[Path], before: list[tuple[int, ...] | None]) -> list[tuple[int, ...] | None]:
    """Wait until a file is another than before, and all are there: an editor may put a new one in its place."""
    while (now := _stamps(paths)) == before or None in now:
        time.sleep(SECONDS)
    return now


def _stamps(paths: Sequence[Path]) -> list[tuple[int, ...] | None]:
    """What tells one state of a file from another; None of a file that is not there."""
    return [_stamp(path) for path in paths]


def _stamp(path: Path) -> tuple[int, ...] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns
