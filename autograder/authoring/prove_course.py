"""Lessons proved beside each other, and the exercises of each, by a process for each core."""

from __future__ import annotations

import itertools
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..processes.workers import in_order
from ..spec.catalogue import lesson_named
from ..spec.user_error import kind_and_message
from . import prove

Part = tuple[str, str]  # a lesson, and what of it is proved


def problems_of(stems: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Each lesson, in the order given, with its problems, as soon as they are known."""
    parts = [(stem, part) for stem in stems for part in prove.parts(lesson_named(stem))]
    found = zip(parts, in_order(_problems, parts, [f"{stem} ({part})" for stem, part in parts]), strict=True)
    for stem, of_parts in itertools.groupby(found, lambda pair: pair[0][0]):
        yield stem, [problem for _, problems in of_parts for problem in problems]


def _problems(one: Part) -> list[str]:
    """An exception is a problem like any other: the other parts are proved all the same."""
    stem, part = one
    try:
        return list(prove.part_problems(lesson_named(stem), part))
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{Path(last.filename).name}:{last.lineno}"
        return [f"{stem}: the proof of {part} ends with {kind_and_message(error)} ({where})"]
