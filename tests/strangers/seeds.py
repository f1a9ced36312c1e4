"""Is a wrong answer wrong whatever the seed? Those that fail in few cases are tried with a hundred seeds.

    python -m tests.strangers.seeds [EXERCISE ...]     all of them write REPORT.md

It grades the answers as `examine` does, and ends as that does; and with 1 if a seed lets a wrong answer pass, which is
named, with how many of the seeds do.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from autograder.authoring.prove import is_right
from autograder.backends import function_from
from autograder.judging.prepare import _prepared
from autograder.processes.workers import in_order
from autograder.showing.terminal import waited_for
from autograder.spec.catalogue import exercises
from tests.strangers.examine import Answer, answers, as_command, chosen, concluded, result_of

SEEDS = [str(number) for number in range(100)]
FEW = 3  # cases: an answer that fails in more of them does not hang on luck


def failing(result: dict[str, Any]) -> list[int]:
    """The few cases, by number, in which nothing but the values are wrong; none of any other answer."""
    wrong = [i for i, case in enumerate(result["cases"]) if case["status"] != "pass"]
    by_value = all(result["cases"][i]["status"] == "fail" for i in wrong)
    return wrong if by_value and len(wrong) <= FEW and not result["over_budget"] else []


def passes(answer: Answer, seed: str, first: list[int]) -> bool:
    """Whether the answer is right in every case that the seed draws. first: the cases that are looked at first."""
    exercise = exercises()[answer.exercise]
    function = function_from(exercise, answer.path.read_text(), "a stranger's")
    others = [i for i in range(len(exercise.cases)) if i not in first]
    return all(is_right(exercise, function, index, seed) for index in [*first, *others])


def graded(answer: Answer) -> tuple[dict[str, Any], int | None]:
    """The answer's result, and how many of the seeds let it pass: None where they are not tried, as its failure does
    not hang on luck, or it is no wrong answer.
    """
    result = result_of(answer)
    few = failing(result) if answer.kind == "wrong" else []
    lucky = sum(passes(answer, seed, few) for seed in SEEDS) if few else None
    _prepared.cache_clear()
    return result, lucky


def main(names: tuple[str, ...]) -> int:
    given, counts = answers(tuple(chosen(names))), list[int | None]()
    labels = [answer.label for answer in given]

    def results() -> Iterator[dict[str, Any]]:
        for result, lucky in waited_for(labels, f"grading, with {len(SEEDS)} seeds", in_order(graded, given, labels)):
            counts.append(lucky)
            yield result

    status = concluded(names, given, results())
    for label, count in zip(labels, counts, strict=True):
        if count:
            print(f"{label} passes with {count} of {len(SEEDS)} seeds", flush=True)
            status = 1
    wrong = sum(answer.kind == "wrong" for answer in given)
    print(f"{sum(count is not None for count in counts)} of {wrong} wrong answers fail in few cases, and were tried")
    return status


if __name__ == "__main__":
    as_command(main)
