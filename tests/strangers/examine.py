"""Grade the strangers' answers as a class is graded, and say what slipped through.

    python -m tests.strangers.examine [EXERCISE ...]     all of them write REPORT.md

It ends with 1 if a right answer is refused, a wrong one or a cheat passes that is not among NOT_SEEN_YET, or one could
not be graded.

Each file in answers/EXERCISE/ is one answer. Its name begins with "right", "wrong" or "cheat", its first line says in
what style it was written, what it does wrong and where that shows, or which check it means to get around and how. The
right and the wrong ones were written from the lessons alone; who wrote the cheats may have read all of the project.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.grading.grade import grade_submission
from autograder.grading.reading.files import Files
from autograder.grading.reading.limited import rehearsed
from autograder.grading.reading.submission import Submission, read_answers
from autograder.processes.child_link import Limits
from autograder.processes.workers import in_order
from autograder.shell import ctrl_c
from autograder.showing.terminal import saying, waited_for
from autograder.spec.catalogue import exercises
from autograder.spec.user_error import UserError

HERE = Path(__file__).parent
SEED = "strangers"
LIMITS = Limits()
NOT_SEEN_YET = set((HERE / "not_seen_yet.txt").read_text().split())  # wrong answers and cheats that pass


@dataclass(frozen=True)
class Answer:
    """One file: who is to be told what by the grader."""

    exercise: str
    path: Path

    @property
    def kind(self) -> str:
        """ "right", "wrong" or "cheat"."""
        return self.path.name.split("_")[0]

    @property
    def is_right(self) -> bool:
        return self.kind == "right"

    @property
    def label(self) -> str:
        return f"{self.exercise}/{self.path.stem}"

    @property
    def about(self) -> str:
        """What its writer says of it."""
        return self.path.read_text().splitlines()[0].lstrip("#/ ")


def answers(names: tuple[str, ...] = ()) -> list[Answer]:
    """Those of the named exercises, or all."""
    folders = (HERE / "answers" / name for name in exercises() if not names or name in names)
    return [Answer(folder.name, path) for folder in folders if folder.is_dir() for path in sorted(folder.iterdir())]


def chosen(names: Sequence[str]) -> list[str]:
    """The named exercises, or all, in the course's order; the program ends where there is none of a name."""
    with saying("loading the course"):
        known = exercises()
    if unknown := [name for name in names if name not in known]:
        sys.exit(f"{unknown[0]!r} is not an exercise of the course; `tilewise list` shows the names")
    return [name for name in known if not names or name in names]


def submission_of(answer: Answer) -> Submission:
    name = f"{answer.exercise}.cu" if answer.path.suffix == ".cu" else "answer.py"
    return rehearsed(read_answers(Files("somebody", ((name, answer.path.read_bytes()),))))


def result_of(answer: Answer) -> dict[str, Any]:
    """The exercise's entry in results.json."""
    (result,) = grade_submission(submission_of(answer), [answer.exercise], SEED, LIMITS)["exercises"]
    return dict(result)


def is_explained(result: dict[str, Any]) -> bool:
    """Whether a wrong answer's cause, or the exact line at fault, is named, and not a wrong number alone."""
    failed = [case for case in result["cases"] if case["status"] not in ("pass", "skipped")]
    return bool(result["diagnosis"] or result["over_budget"] or any(map(_says_itself, failed)))


def _says_itself(case: dict[str, Any]) -> bool:
    """Whether a failure is about a line, or no wrong number: a shape, a dtype, an exception, a changed argument."""
    error, allowed = case["max_error"], case["tolerance"]
    right = error is not None and allowed is not None and error <= allowed
    return bool(case["line"] or (case["status"] in ("fail", "error") and (error is None or right)))


def said_of(result: dict[str, Any]) -> str:
    """The cause that is named, else the first failure."""
    failed = next((case for case in result["cases"] if case["status"] not in ("pass", "skipped")), None)
    parts = [result["diagnosis"]["mutant"]] if result["diagnosis"] else []
    parts += [over["message"] for over in result["over_budget"]]
    parts += [f"`{failed['key']}`: {failed['message']}"] if failed else []
    return " | ".join(parts) or result["note"]


def main(names: tuple[str, ...]) -> int:
    given = answers(tuple(chosen(names)))
    labels = [answer.label for answer in given]
    return concluded(names, given, waited_for(labels, "grading", in_order(result_of, given, labels)))


def concluded(names: tuple[str, ...], given: list[Answer], results: Iterable[dict[str, Any]]) -> int:
    """Say what each answer gets, as it comes, and report; 1 if one did not get what it deserves."""
    found = []
    for answer, result in zip(given, results, strict=True):
        found.append((answer, result))
        kept = f"{result['points']:g}/{result['max_points']:g}"
        print(f"{answer.label} {result['status']} {kept} {said_of(result)}", flush=True)
    text = report(found)
    if names:
        print(text)
    else:
        (HERE / "REPORT.md").write_text(text)
    said = [*undeserved(found)]
    for sentence in said:
        print(sentence, file=sys.stderr)
    return 1 if said else 0


def undeserved(found: list[tuple[Answer, dict[str, Any]]]) -> Iterator[str]:
    """Of each answer that did not get what it deserves, which."""
    for answer, result in found:
        if result["status"] == "infra":
            yield f"not graded: {answer.label}: {result['note']}"
        elif (result["status"] == "pass") != answer.is_right and answer.label not in NOT_SEEN_YET:
            yield f"taken for what it is not: {answer.label}"


def report(found: list[tuple[Answer, dict[str, Any]]]) -> str:
    """The figures, and each answer that was taken for what it is not, or was not explained."""
    wrong = [(a, r) for a, r in found if a.kind == "wrong"]
    cheats = [(a, r) for a, r in found if a.kind == "cheat"]
    earning = [(a, r) for a, r in cheats if r["status"] == "pass"]
    flagged = sum(r["status"] == "flagged" for _, r in cheats)
    right = [(a, r) for a, r in found if a.is_right]
    passed = [(a, r) for a, r in wrong if r["status"] == "pass"]
    refused = [(a, r) for a, r in right if r["status"] != "pass"]
    rejected = [(a, r) for a, r in wrong if r["status"] != "pass"]
    unexplained = [(a, r) for a, r in rejected if not is_explained(r)]
    kept = sum(r["points"] / r["max_points"] for _, r in rejected) / max(1, len(rejected))
    lines = [
        "# What the grader says of strangers' answers",
        "",
        f"- wrong answers: {len(wrong)}, of which {len(passed)} got full points",
        f"- right answers: {len(right)}, of which {len(refused)} did not",
        f"- rejected ones with a cause or an exact line: {len(rejected) - len(unexplained)} of {len(rejected)}",
        f"- share of the points that a rejected answer keeps: {kept:.0%} on average",
        f"- cheats: {len(cheats)}, of which {flagged} were kept for a person to see and {len(earning)} got full points",
    ]
    for title, group in (
        ("Cheats with full points", earning), ("Wrong, with full points", passed),
        ("Right, and refused", refused), ("Rejected without a cause", unexplained),
    ):  # fmt: skip
        lines += ["", f"## {title}", ""] if group else []
        lines += [f"- `{a.label}`: {a.about}. Said: {said_of(r)}" for a, r in group]
    return "\n".join(lines) + "\n"


def as_command(main: Callable[[tuple[str, ...]], int]) -> None:
    """Call it with the words of the command line, and end with what it returns; at Ctrl-C, and with one sentence where
    it cannot go on, as every command does.
    """
    try:
        sys.exit(main(tuple(sys.argv[1:])))
    except UserError as mistake:
        sys.exit(f"{mistake}.")
    except KeyboardInterrupt:
        ctrl_c.stop()
        sys.exit(ctrl_c.STATUS)


if __name__ == "__main__":
    as_command(main)
