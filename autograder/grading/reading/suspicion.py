"""What of an exercise's answers reaches for the checker: asked alike where they are read and where they are graded."""

from __future__ import annotations

import itertools
from dataclasses import replace

from simt.source import without_switched_off

from ...spec.catalogue import exercises
from ...spec.code.names import names_in
from ...spec.code.unreached import without_unreached
from ...spec.exercise import Exercise
from ..screening import kernel_reaches_for, reaches_for
from .idle import without_idle
from .submission import Submission
from .surroundings import Texts, texts_for


def reached_by(exercise: Exercise, texts: Texts, compiles: bool = True) -> str | None:
    """The first thing in the answers that answers do not need, None if there is none.

    All that grading does with a text is done here, so that a process with limits has done it before. compiles: whether
    Triton's compiler takes the kernels; where it does not, less is looked at.
    """
    known = "\n".join(source for _, source in texts.setup)
    for name, source in texts.ran:
        if not exercise.engine.is_python:
            found = kernel_reaches_for(source, exercise.builds)
        else:
            others = [word for other, text in texts.ran if other != name for word in names_in(text)]
            found = reaches_for(source, name, known, others, exercise.engine.has_ranks, compiles, exercise.spied)
        if found:
            return found
    return None


def without_idle_lines(submission: Submission) -> Submission:
    """The submission with `pass` in place of what is not run where answers are graded, and, with a note, of what no
    answer uses and none needs: a benchmark's imports.
    """
    answers = {
        name: replace(answer, source=_reached(name, answer.source)) for name, answer in submission.answers.items()
    }
    in_python = {name: answer.source for name, answer in answers.items() if exercises()[name].engine.is_python}
    asked, known, left = dict[str, list[Exercise]](), dict[str, str](), dict[str, tuple[str, list[int]]]()
    for source in dict.fromkeys(in_python.values()):
        asked[source] = [exercises()[name] for name, text in in_python.items() if text == source]
        setups = [text for exercise in asked[source] for _, text in texts_for(exercise, answers).setup]
        known[source] = "\n".join(dict.fromkeys(setups))
        left[source] = without_idle(source, known[source], (), asked[source])
    # What stays of one may use what was left out of another. What both leave out, such as a benchmark each, does not.
    for _ in left:  # at the most: each round but the last puts back some of it
        before = left
        words = {source: names_in(text) for source, (text, _) in left.items()}
        others = {source: {*itertools.chain(*(words[other] for other in words if other != source))} for source in words}
        left = {
            s: without_idle(s, known[s], others[s], asked[s]) if lines else (text, lines)
            for s, (text, lines) in left.items()
        }
        if left == before:
            break
    notes = [
        _note(answers[name].file, name, source, lines)
        for source, (_, lines) in left.items()
        if lines and (name := next(name for name, text in in_python.items() if text == source))
    ]
    told = {source: text for source, (text, _) in left.items()}
    answers = {name: replace(answer, source=told.get(answer.source, answer.source)) for name, answer in answers.items()}
    return replace(submission, answers=answers, notes=(*submission.notes, *notes))


def _reached(name: str, source: str) -> str:
    """The text of an answer without what is not run, or not compiled, where answers are graded."""
    return without_unreached(source) if exercises()[name].engine.is_python else without_switched_off(source)


def _note(file: str, name: str, source: str, lines: list[int]) -> str:
    """Which lines are left out, and why."""
    where = file if file.endswith(".py") else f"the cell of {name} in {file}"
    first = source.splitlines()[lines[0] - 1].strip()[:60]
    more = len(dict.fromkeys(lines)) - 1
    these, it = (f" and {more} more were", "them") if more else (" was", "it")
    return f"{where}: line {lines[0]} ({first}){these} left out, since no answer uses or needs {it}"
