"""What the builder writes into a lesson's source: other lessons' numbers, and what was measured.

{lesson}`topic` becomes the lesson's number, in prose with a link to its notebook. {measured}`copy` becomes the number
in bench/h200.json: TB/s of a copy; `matmul`, TFLOP/s of a large product; `exp`, 10^12 exponentials per second; `ridge`,
operations per byte; `flash_mma course D=64 N=4096 full` the rate of an exercise, a column and a row, and `us flash_mma
course ...` its microseconds. `links ns HBM` is what stands there in bench/h200_links.json. Of two with " / " between
them it is the ratio.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import asdict
from functools import cache, partial
from typing import Any

from ..benchmark.shown import recorded
from ..spec.catalogue import Lesson, lessons
from ..spec.folders import MEASURED
from ..spec.user_error import LIST_SHOWS, UserError, did_you_mean

_ROLE = re.compile(r"\{([Ll]esson)\}`([^`]*)`?")
_MEASURED = re.compile(r"\{measured\}`([^`]*)`?")


def resolved(lesson: Lesson) -> str:
    """The lesson's source with every reference written out: "[lesson 02](02_online_softmax.ipynb)", "4.24".

    {Lesson} begins a sentence. Inside a fence, where a link would not work, "lesson 02" is all.
    Raises UserError, with file and line, for a topic that no lesson has, and for what was not measured.
    """
    fenced, lines = False, []
    for number, line in enumerate(lesson.source.read_text().split("\n"), 1):
        fenced ^= line.startswith("```")
        where = f"lessons/{lesson.source.name}, line {number},"
        line = _MEASURED.sub(partial(_quoted, where=where), line)
        lines.append(_ROLE.sub(partial(_written, fenced=fenced, where=where), line))
    return "\n".join(lines)


def _written(reference: re.Match[str], fenced: bool, where: str) -> str:
    word, topic = reference.groups()
    meant = next((lesson for lesson in lessons() if lesson.topic == topic), None)
    if meant is None:
        others = did_you_mean(topic, [other.topic for other in lessons()], LIST_SHOWS)
        raise UserError(f"{where} refers to a lesson on {topic!r}, which is not there{others}")
    text = f"{word} {meant.number:02d}"
    return text if fenced else f"[{text}]({meant.notebook.name})"


def _quoted(reference: re.Match[str], where: str) -> str:
    """A measured number, to three digits below 10 and whole from there on."""
    found, numbers = _measured(), []
    for name in reference[1].split(" / "):
        if name not in found:
            meant = did_you_mean(name, found)
            raise UserError(f"{where} quotes {name!r}, which bench/h?00*.json do not have{meant}")
        numbers.append(found[name])
    number = numbers[0] / numbers[1] if numbers[1:] else numbers[0]
    return f"{number:.0f}" if number >= 10 else f"{number:.2f}"


@cache
def _measured() -> dict[str, float]:
    """All numbers that a lesson may quote, by name."""
    kept = recorded()
    assert kept.ceilings is not None
    found = {name: rate / 1e12 for name, rate in asdict(kept.ceilings).items()}
    found["ridge"] = found["matmul"] / found["copy"]
    for row in kept.rows:
        for column, timing in row.columns.items():
            name = f"{row.exercise} {column} {row.label}"
            found |= {name: row.rate(column), f"us {name}": 1e3 * timing.ms}
    for path in MEASURED.parent.glob("h200_*.json"):
        topic = path.stem.partition("_")[2]
        found |= dict(_leaves(topic, json.loads(path.read_text(encoding="utf-8"))))
    return found


def _leaves(name: str, data: Any) -> Iterator[tuple[str, float]]:
    """The numbers in nested objects and lists, each with the keys and places that lead to it."""
    if isinstance(data, dict | list):
        for key, value in data.items() if isinstance(data, dict) else enumerate(data):
            yield from _leaves(f"{name} {key}", value)
    elif isinstance(data, int | float):
        yield name, data
