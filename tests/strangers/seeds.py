"""Is a wrong answer wrong whatever the seed? Those that fail in few cases are tried with a hundred seeds.

    python -m tests.strangers.seeds [EXERCISE ...]

An answer that a seed lets pass is named, with how many of the seeds do. It ends with 1 if there is one.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from autograder.authoring.prove import is_right
from autograder.authoring.prove_course import workers
from autograder.backends import function_from
from autograder.judging.prepare import prepare
from autograder.showing.terminal import waited_for
from autograder.spec.catalogue import exercises
from tests.strangers.examine import Answer, answers, as_command, chosen, result_of

SEEDS = [str(number) for number in range(100)]
SHARES = [tuple(SEEDS[begin::4]) for begin in range(4)]  # of them: some exercises take much longer than others
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


def lucky(task: tuple[str, tuple[str, ...]]) -> Counter[str]:
    """Of an exercise, how many of the seeds let each wrong answer pass: of all that are looked at."""
    name, seeds = task
    few = {a: failing(a) for a in answers((name,)) if a.kind == "wrong"}
    few = {a: cases for a, cases in few.items() if cases}
    found = Counter({answer.label: 0 for answer in few})
    for seed in seeds:
        found.update(answer.label for answer, cases in few.items() if passes(answer, seed, cases))
        prepare.cache_clear()
    return found


def counts_of(tried: Sequence[str], found: Iterable[Counter[str]]) -> Iterator[Counter[str]]:
    """The counts of each exercise, of all its shares of the seeds together."""
    shares = iter(found)
    for _ in tried:
        counts: Counter[str] = Counter()
        for share in itertools.islice(shares, len(SHARES)):
            counts.update(share)
        yield counts


def main(names: tuple[str, ...]) -> int:
    tried, status = chosen(names), 0
    tasks = [(name, seeds) for name in tried for seeds in SHARES]
    with workers(len(tasks)) as pool:
        found = counts_of(tried, pool.imap(lucky, tasks))
        for name, counts in zip(tried, waited_for(tried, f"trying {len(SEEDS)} seeds", found), strict=True):
            for label in filter(counts.get, counts):
                print(f"{label} passes with {counts[label]} of {len(SEEDS)} seeds")
                status = 1
            print(f"{name}: {len(counts)} tried", flush=True)
    return status


if __name__ == "__main__":
    as_command(main)
