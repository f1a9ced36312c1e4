"""Is a wrong answer wrong whatever the seed? Those that fail in few cases are tried with a hundred seeds.

    python -m tests.strangers.seeds [EXERCISE ...]

An answer that a seed lets pass is named, with how many of the seeds do. It ends with 1 if there is one.
"""

from __future__ import annotations

from autograder.authoring.prove import is_right
from autograder.backends import function_from
from autograder.judging.prepare import prepare
from autograder.processes.workers import in_order
from autograder.showing.terminal import waited_for
from autograder.spec.catalogue import exercises
from tests.strangers.examine import Answer, answers, as_command, chosen, result_of

SEEDS = [str(number) for number in range(100)]
FEW = 3  # cases: an answer that fails in more of them does not hang on luck


def failing(answer: Answer) -> list[int]:
    """The few cases, by number, in which nothing but the values are wrong; none of any other answer."""
    result = result_of(answer)
    wrong = [i for i, case in enumerate(result["cases"]) if case["status"] != "pass"]
    by_value = all(result["cases"][i]["status"] == "fail" for i in wrong)
    return wrong if by_value and len(wrong) <= FEW and not result["over_budget"] else []


def passes(answer: Answer, seed: str, first: list[int]) -> bool:
    """Whether the answer is right in every case that the seed draws. first: the cases that are looked at first."""
    exercise = exercises()[answer.exercise]
    function = function_from(exercise, answer.path.read_text(), "a stranger's")
    others = [i for i in range(len(exercise.cases)) if i not in first]
    return all(is_right(exercise, function, index, seed) for index in [*first, *others])


def lucky(answer: Answer) -> int | None:
    """How many of the seeds let a wrong answer pass; None if it fails in more than a few cases, and is not tried."""
    few = failing(answer)
    found = sum(passes(answer, seed, few) for seed in SEEDS) if few else None
    prepare.cache_clear()
    return found


def main(names: tuple[str, ...]) -> int:
    given = [answer for answer in answers(tuple(chosen(names))) if answer.kind == "wrong"]
    tried = status = 0
    labels = [answer.label for answer in given]
    found = waited_for(labels, f"trying {len(SEEDS)} seeds", in_order(lucky, given, labels))
    for label, count in zip(labels, found, strict=True):
        tried += count is not None
        if count:
            print(f"{label} passes with {count} of {len(SEEDS)} seeds", flush=True)
            status = 1
    print(f"{tried} of {len(given)} wrong answers fail in few cases, and were tried")
    return status


if __name__ == "__main__":
    as_command(main)
