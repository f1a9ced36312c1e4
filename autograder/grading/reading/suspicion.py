"""What of an exercise's answers reaches for the checker: asked alike where they are read and where they are graded."""

from __future__ import annotations

from collections.abc import Iterator
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
    answer uses and none needs: a benchmark's imports. Of a file with several answers each keeps what it uses itself.
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
        left |= without_idle(source, known[source], (), asked[source])
    # What stays of one may use what was left out of another. What both leave out, such as a benchmark each, does not.
    for _ in asked:  # at the most: each round but the last puts back some of it
        before, words = left, {name: names_in(text) for name, (text, _) in left.items()}
        for source, its in asked.items():
            if any(before[exercise.name][1] for exercise in its):
                others = {word for name, text in in_python.items() if text != source for word in words[name]}
                left = left | without_idle(source, known[source], others, its)
        if left == before:
            break
    notes = [*_notes({name: (answers[name].file, source, left[name][1]) for name, source in in_python.items()})]
    told = {name: replace(answer, source=left[name][0]) for name, answer in answers.items() if name in left}
    return replace(submission, answers=answers | told, notes=(*submission.notes, *notes))


def _notes(left: dict[str, tuple[str, str, list[int]]]) -> Iterator[str]:
    """Of each text, what is left out of all answers in it: what of one alone, another one uses. left: by the exercise,
    its file, its text and the lines that are left out.
    """
    for source in dict.fromkeys(source for _, source, _ in left.values()):
        of_it = {name: (file, lines) for name, (file, text, lines) in left.items() if text == source}
        name, (file, first) = next(iter(of_it.items()))
        if in_all := [line for line in first if all(line in lines for _, lines in of_it.values())]:
            yield _note(file, name, source, in_all)


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
