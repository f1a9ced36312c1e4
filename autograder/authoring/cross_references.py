"""{lesson}`topic` in a lesson's source becomes the lesson's number, in prose with a link to its notebook."""

from __future__ import annotations

import re
from functools import partial

from ..spec.catalogue import Lesson, lessons
from ..spec.user_error import UserError

_ROLE = re.compile(r"\{([Ll]esson)\}`([^`]*)`?")


def resolved(lesson: Lesson) -> str:
    """The lesson's source with every reference written out: "[lesson 02](02_online_softmax.ipynb)".

    {Lesson} begins a sentence. Inside a fence, where a link would not work, "lesson 02" is all.
    Raises UserError, with file and line, for a topic that no lesson has.
    """
    fenced, lines = False, []
    for number, line in enumerate(lesson.source.read_text().split("\n"), 1):
        fenced ^= line.startswith("```")
        where = f"lessons/{lesson.source.name}, line {number},"
        lines.append(_ROLE.sub(partial(_written, fenced=fenced, where=where), line))
    return "\n".join(lines)


def _written(reference: re.Match[str], fenced: bool, where: str) -> str:
    word, topic = reference.groups()
    meant = next((lesson for lesson in lessons() if lesson.topic == topic), None)
    if meant is None:
        topics = ", ".join(lesson.topic for lesson in lessons())
        raise UserError(f"{where} refers to a lesson on {topic!r}, which is not there; the topics are {topics}")
    text = f"{word} {meant.number:02d}"
    return text if fenced else f"[{text}]({meant.notebook.name})"
