"""The official grade: one pure function from a submission to a result. Submitted code runs in a sandboxed child."""

from __future__ import annotations

import platform
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import torch

from simt import compiler
from simt.errors import MissingCompiler

from .. import __version__
from ..backends.assembly import Unfinished
from ..judging.judge import judge
from ..judging.verdict import Verdict
from ..processes.child_link import Limits, SandboxError
from ..processes.wall import best_level
from ..spec.catalogue import exercise_named, lesson_of
from ..spec.exercise import Exercise
from ..spec.user_error import UserError, kind_and_message
from .fingerprint import fingerprint
from .reading.submission import Answer, Submission
from .reading.surroundings import helpers_of, lent_to
from .reading.suspicion import reached_by
from .results import SCHEMA_VERSION, exercise_result, seed_id
from .session import Allowance, Session, discard_sandbox, worker_sandbox

ATTEMPTS = 3  # how often a failure of the grader itself is retried


def grade_submission(
    submission: Submission,
    exercise_names: Sequence[str],
    seed: str,
    limits: Limits | None = None,
    level: str | None = None,
) -> dict[str, Any]:
    """Grade one submission on the named exercises with inputs drawn from `seed`: the content of its results.json.

    limits: what submitted code may use. level: "bubblewrap" or "limits"; by default the best available. Raises nothing:
    a failure of the grader itself gives the exercises that it hit the status "infra".
    """
    verdicts, notes = verdicts_for(submission, exercise_names, seed, limits, level)
    return result_of(submission, verdicts, notes, seed, level or best_level())


def ungraded(submission: Submission, exercise_names: Sequence[str], seed: str, reason: str) -> dict[str, Any]:
    """The result of a submission that no worker could grade, and why: "infra" everywhere, to be tried again."""
    verdicts = [Verdict(exercise_named(name), "infra", 0.0, note=reason) for name in exercise_names]
    return result_of(submission, verdicts, [], seed, "none")


def result_of(
    submission: Submission, verdicts: Sequence[Verdict], notes: Sequence[str], seed: str, level: str
) -> dict[str, Any]:
    """The content of results.json for verdicts that were reached in a sandbox of this `level`."""
    return {
        "schema": SCHEMA_VERSION,
        "course": {"name": "tilewise", "version": __version__, "fingerprint": fingerprint()},
        "student": submission.student,
        "submission": {
            "hash": submission.hash,
            "files": list(submission.files),
            "notes": list(notes),
        },
        "seed_id": seed_id(seed),
        "sandbox": level,
        "environment": environment(),
        "points": round(sum(v.points for v in verdicts), 4),
        "max_points": round(sum(v.max_points for v in verdicts), 4),
        "exercises": [exercise_result(v) for v in verdicts],
    }


def verdicts_for(
    submission: Submission,
    exercise_names: Sequence[str],
    seed: str,
    limits: Limits | None = None,
    level: str | None = None,
) -> tuple[list[Verdict], list[str]]:
    """The verdicts on the named exercises, in their order, and notes on what could not be read."""
    verdicts = list(each_verdict(submission, exercise_names, seed, Allowance(limits or Limits()), level))
    return verdicts, [*submission.notes, *_of_other_lessons(submission.answers, exercise_names)]


def each_verdict(
    submission: Submission,
    exercise_names: Sequence[str],
    seed: str,
    allowance: Allowance,
    level: str | None = None,
) -> Iterator[Verdict]:
    """The verdicts on the named exercises, in their order, each as soon as it is known; none once the allowance is
    ended.
    """
    answers = submission.answers
    verdicts: dict[str, Verdict] = {}
    for name in exercise_names:
        exercise = exercise_named(name)
        if submission.unread:
            yield Verdict(exercise, "infra", 0.0, note=submission.unread)
            continue
        if name not in answers:
            verdicts[name] = Verdict(exercise, "not_attempted", 0.0)
            yield verdicts[name]
            continue
        verdicts[name] = _graded(exercise, answers, seed, level, allowance)
        helpers = [h for h in helpers_of(name, answers) if h in verdicts and verdicts[h].status != "pass"]
        if helpers and verdicts[name].status not in ("pass", "infra"):
            verdicts[name] = _follow_through(exercise, answers, helpers, seed, level, allowance, verdicts[name])
        if lent := lent_to(name, answers):
            verdicts[name].note = verdicts[name].note or f"graded with the course's {' and '.join(lent)}, not handed in"
        if allowance.ended:
            return
        yield verdicts[name]


def _of_other_lessons(answers: dict[str, Answer], graded: Sequence[str]) -> Iterator[str]:
    """A note on each file that answers nothing of what is graded, as when the wrong notebook was handed in."""
    for file in dict.fromkeys(answer.file for answer in answers.values()):
        names = [name for name, answer in answers.items() if answer.file == file]
        if not {*names} & {*graded}:
            stems = dict.fromkeys(lesson_of(exercise_named(name)).stem for name in names)
            yield f"{file} answers exercises of {', '.join(stems)}, which are not graded here"


def _follow_through(
    exercise: Exercise, answers: dict[str, Answer], helpers: list[str], seed: str, level: str | None,
    allowance: Allowance, own: Verdict,
) -> Verdict:  # fmt: skip
    """Grade again with the course's versions of the helpers that failed, so that their mistake is not counted twice."""
    file = answers[exercise.name].file
    mended = answers | {h: Answer(exercise_named(h).source, file) for h in helpers}
    again = _graded(exercise, mended, seed, level, allowance)
    if again.points <= own.points:
        return own
    again.note = f"graded with the course's {' and '.join(helpers)}, because yours did not pass"
    return again


def _graded(
    exercise: Exercise, answers: dict[str, Answer], seed: str, level: str | None, allowance: Allowance
) -> Verdict:
    reason = ""
    for _ in range(ATTEMPTS):
        try:
            if not exercise.engine.is_python:
                compiler.compiler()  # where there is none, there is no need to start a sandbox
            with Session(worker_sandbox(level), exercise, answers, allowance) as session:
                compiled = session.compiled if exercise.compiled else None
                verdict = judge(exercise, answers[exercise.name].source, seed, session.call, compiled)
                return _set_aside(verdict, session)
        except (MissingCompiler, UserError, Unfinished) as error:
            # Trying again now would end the same way: something is not installed here, or a compiler does not finish.
            # Such an answer has broken no budget, since on a busy machine a right one looks the same (where a processor
            # has worked on it for as long as it may, that is the answer's own doing, and an error). Nor does it pass
            # unmeasured, since then hanging the compiler would earn what its refusal costs. It waits, without points,
            # for the next run or for a person.
            return Verdict(exercise, "infra", 0.0, note=str(error))
        except SandboxError as error:
            reason = str(error)
            discard_sandbox()
        except Exception as error:  # a bug in the checker: one exercise waits for the fix, the others continue
            reason = f"the grader itself failed ({kind_and_message(error)})"
    return Verdict(exercise, "infra", 0.0, note=reason)


def _set_aside(verdict: Verdict, session: Session) -> Verdict:
    """The verdict, or no points for now if the code that earned them could have reached the meters."""
    compiles = all(over.kind != "compile" for over in verdict.over)
    reached = reached_by(verdict.exercise, session.texts, compiles) if verdict.points else None
    if reached:
        verdict.status, verdict.points = "flagged", 0.0
        said = "which no answer needs, so a person will look at it; without that it is graded at once"
        verdict.note = f"the code names {reached}, {said}"
    return verdict


def environment() -> dict[str, str]:
    """The versions that a result depends on."""
    return {
        "python": platform.python_version(),
        "numpy": np.__version__,
        "torch": torch.__version__,
        "machine": f"{platform.system()} {platform.machine()}",
        "backend": "gpu" if torch.cuda.is_available() else "cpu",
    }
