"""Is a wrong answer wrong whatever the seed? Those that fail in few cases are tried with a hundred seeds.

    python -m tests.strangers.seeds [EXERCISE ...]

An answer that a seed lets pass is named, with how many of the seeds do. It ends with 1 if there is one.
"""

from __future__ import annotations

from autograder.authoring.prove import is_right
from autograder.authoring.prove_course import workers
from autograder.backends import function_from
from autograder.judging.prepare import prepare
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


def lucky(name: str) -> list[str]:
    """Of an exercise, each wrong answer that some seed lets pass, and of those looked at how many there are."""
    few = {a: failing(a) for a in answers((name,)) if a.kind == "wrong"}
    few = {a: cases for a, cases in few.items() if cases}
    found: dict[str, int] = {}
    for seed in SEEDS:
        for answer, cases in few.items():
            if passes(answer, seed, cases):
                found[answer.label] = found.get(answer.label, 0) + 1
        prepare.cache_clear()
    said = [f"{label} passes with {count} of {len(SEEDS)} seeds" for label, count in found.items()]
    return [*said, f"{name}: {len(few)} tried"]


def main(names: tuple[str, ...]) -> int:
    tried, status = chosen(names), 0
    with workers(len(tried)) as pool:
        for said in waited_for(tried, f"trying {len(SEEDS)} seeds", pool.imap(lucky, tried)):
            print("\n".join(said), flush=True)
            status |= len(said) > 1
    return status


if __name__ == "__main__":
    as_command(main)
