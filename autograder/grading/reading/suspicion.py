"""What of an exercise's answers reaches for the checker: asked alike where they are read and where they are graded."""

from __future__ import annotations

from ...spec.code.names import names_in
from ...spec.exercise import Exercise
from ..screening import kernel_reaches_for, reaches_for
from .surroundings import Texts


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
