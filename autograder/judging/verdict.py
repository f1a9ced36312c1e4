"""What the checker says of one exercise. The card, results.json and the gradebook are all written from this."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from simt.errors import COMPILE_ERROR, Fault

from ..runner.failure import Failure, Kind
from ..runner.interpreter.arguments import NotForKernels
from ..runner.meters import METERS
from ..runner.wall.printed import Printed
from ..spec.exercise import Exercise
from .tolerance import Comparison

Status = Literal["pass", "partial", "fail", "not_attempted", "error", "timeout", "memory", "flagged", "infra"]

# What each status means, in the learner's words: the home of these sentences.
MEANING: dict[str, str] = {
    "pass": "right",
    "partial": "partly right",
    "fail": "wrong",
    "not_attempted": "not attempted",
    "error": "crashed",
    "timeout": "ran out of time",
    "memory": "ran out of memory",
    "flagged": "set aside for a person to review",
    "infra": "not graded; no points are lost",
}


# What a CUDA kernel or ranks did, or what was done to an answer, in a few words.
FAULTS: dict[str, str] = {
    COMPILE_ERROR: "does not compile",
    Fault.OUT_OF_BOUNDS: "out of bounds",
    Fault.MISALIGNED: "misaligned",
    Fault.UNINITIALISED: "reads what was never written",
    Fault.LOCAL_MEMORY: "too much memory of its own",
    Fault.RACE: "a race",
    Fault.DIVERGENT_BARRIER: "stuck at a barrier",
    Fault.DIVERGENT_WARP: "stuck in a warp",
    NotForKernels.__name__: "works only without a GPU",
    Kind.INTERRUPTED: "stopped",
    Kind.DEADLOCK: "a deadlock",
    Kind.OVERWRITTEN: "overwrites what it sends",
    Kind.TOO_EARLY: "does not wait for a message",
    Kind.MISMATCH: "messages that do not fit",
    Kind.UNFINISHED: "a message left on its way",
    Kind.REFUSED: "a message that cannot be sent",
    Kind.NOT_SENT: "uses what was never sent",
}


@dataclass(frozen=True)
class Diagnosis:
    """The mistake that an answer matches: its key, its sentence, and the rung of the hints that helps.

    elsewhere: the numbers, from 1, of the failed cases that it does not explain.
    """

    key: str
    mutant: str
    hint: int = 2  # which says at what line or invariant to look
    elsewhere: Sequence[int] = ()


@dataclass
class CaseResult:
    """One case: status "pass", "fail", "error", "timeout", "memory" or "skipped", and what the learner reads."""

    key: str
    name: str
    status: str
    message: str = ""
    comparisons: list[Comparison] = field(default_factory=list)
    failure: Failure | None = None
    outputs: list[np.ndarray] | None = None
    arguments: str = ""  # shapes and dtypes, for the card
    tile: tuple[int, int] | None = None
    rounded_at: int = 0  # the line with a tl.dot that rounds float32 to TF32, 0 if there is none
    printed: Printed = field(default_factory=Printed)  # by the whole call; nothing where inputs are secret
    numbers: Sequence[tuple[str, str]] = ()  # names and numbers of small arrays; none where inputs are secret

    @property
    def meaning(self) -> str:
        """What its status means, in the learner's words."""
        stopped = self.failure is not None and self.failure.kind == Kind.INTERRUPTED
        return FAULTS[Kind.INTERRUPTED] if stopped else MEANING.get(self.status, "not run")

    @property
    def worst(self) -> Comparison | None:
        """The output that fared worst: the first wrong one, else the first."""
        wrong = [c for c in self.comparisons if not c.ok]
        return next(iter(wrong or self.comparisons), None)


# What went against an answer beside its values, by kind, and what the card calls it.
LABELS = {meter.kind: meter.label for meter in METERS} | {
    "operations": "forbidden",
    "calls": "calls",
    "compile": "compiler",
    "names": "elsewhere",
}


@dataclass
class OverBudget:
    """A judgement beside the value that went against the answer, of one of the kinds in LABELS.

    cases: keys of those in which it was seen; none where the text of the answer shows it. spoiled: it hangs on the
    values of its call, or says that too little was done, and they are wrong.
    """

    kind: str
    message: str
    used: float = 0
    allowed: float = 0
    line: int = 0
    text: str = ""
    spoiled: bool = False
    cases: Sequence[str] = ()

    @property
    def label(self) -> str:
        """What the card calls it: a call that is not made is missing, one that is made too often is not."""
        return "missing" if self.kind == "calls" and self.used < self.allowed else LABELS[self.kind]


def quoted(source: str, number: int) -> tuple[int, str]:
    """A line's number and text; 0 and "" where the answer has no such line."""
    lines = source.splitlines()
    return (number, lines[number - 1].strip()) if 0 < number <= len(lines) else (0, "")


@dataclass
class Verdict:
    """All that is known of one answer. points <= max_points; nothing comes from the learner's process unchecked."""

    exercise: Exercise
    status: Status
    points: float
    cases: Sequence[CaseResult] = ()
    over: Sequence[OverBudget] = ()
    diagnosis: Diagnosis | None = None
    note: str = ""
    measured: dict[str, Any] = field(default_factory=dict)
    source: str = ""

    @property
    def name(self) -> str:
        return self.exercise.name

    @property
    def max_points(self) -> float:
        return self.exercise.points

    @property
    def passed(self) -> int:
        return sum(case.status == "pass" for case in self.cases)

    @property
    def first_failure(self) -> CaseResult | None:
        return next((c for c in self.cases if c.status not in ("pass", "skipped")), None)

    @property
    def headline(self) -> str:
        """The verdict in a few words, e.g. "right", "right, but over budget", "wrong"."""
        if self.over and all(c.status == "pass" for c in self.cases):
            kinds = {over.kind for over in self.over}
            said = {
                "operations": "by a forbidden operation",
                "names": "with a name that a grade does not have",
                "compile": "only without a GPU",
                "calls": "another way",
            }
            return "right, but " + next((said[kind] for kind in said if kind in kinds), "over budget")
        failed = self.first_failure
        if failed and failed.failure and failed.failure.is_hole:
            return "not finished"
        if failed and failed.failure and failed.failure.kind in FAULTS:
            return FAULTS[failed.failure.kind]
        return "wrong" if self.status == "partial" else MEANING[self.status]
