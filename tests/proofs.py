"""What the tests prove of exercises, lessons and strangers' answers, and what of it has been proved before.

    python -m tests.proofs     prove what is new or has changed, and write proved.txt

proved.txt is kept in the repository, so that on a fresh clone too `make test` proves what a change touches and nothing
else. A line holds for one content only: for these files, this Python, these versions of packages, this kind of CPU.
Where one of them differs everything is proved again. `make proof` does not look here.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from autograder.authoring import proof_cache, prove, prove_lesson
from autograder.grading.reading.surroundings import setup_for, texts_for
from autograder.grading.reading.suspicion import reached_by
from autograder.grading.screening import reaches_for
from autograder.grading.session import Allowance, Session, worker_sandbox
from autograder.judging.cases import judge_case
from autograder.judging.judge import judge
from autograder.judging.prepare import Prepared
from autograder.processes.files import write_atomically
from autograder.runner.observe import Observation
from autograder.spec.catalogue import Lesson, exercise_named, exercises, lesson_of, lessons
from autograder.spec.edits import Mutant
from autograder.spec.folders import PACKAGES, ROOT
from tests import walls
from tests.exercises import paged_machines
from tests.judging.causes import TOLD, Told
from tests.strangers.examine import LIMITS, NOT_SEEN_YET, SEED, Answer, answers, result_of, said_of, submission_of
from tests.systems import SYSTEMS

RECORD = Path(__file__).with_name("proved.txt")
FALSE_CAUSES = Path(__file__).with_name("strangers") / "false_causes.txt"


@dataclass(frozen=True)
class Proof:
    """A claim, a hash of all that it depends on, and how to find what contradicts it."""

    claim: str
    content: str
    find: Callable[[], Iterable[str]]

    @property
    def line(self) -> str:
        return f"{proof_cache.key(self.claim, self.content)} {self.claim}"

    def problems(self) -> list[str]:
        """None, without a look, if it stands in the record or has been proved here."""
        return [] if self.line in recorded() else proof_cache.problems(self.claim, self.content, self.find)


def recorded() -> set[str]:
    return set(RECORD.read_text().splitlines()) if RECORD.exists() else set()


def of_exercise(name: str) -> Proof:
    """As briefly as the tests can afford."""
    exercise = exercise_named(name)
    extent = prove.brief(exercise)
    return Proof(
        extent.claim(exercise),
        proof_cache.of_exercise(exercise),
        lambda: prove.exercise_problems(exercise, lesson_of(exercise), extent),
    )


def of_tests(file: str) -> Proof:
    """Of a test file that all tests in it pass."""

    def find() -> Iterator[str]:
        alone = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
        command = [sys.executable, "-m", "pytest", "-rf", file]
        done = subprocess.run(command, cwd=ROOT, env=alone, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            yield f"{file} fails:\n{done.stdout[-4000:]}"

    module = file.removesuffix(".py").replace("/", ".")
    return Proof(f"all tests of {file} pass", proof_cache.of_tests(module, walls.here()), find)


@cache
def passed_before() -> frozenset[Path]:
    """The test files of which it stands in the record that their tests pass, with all that they depend on."""
    return frozenset(ROOT / file for file in SYSTEMS if of_tests(file).line in recorded())


def of_run(lesson: Lesson) -> Proof:
    return Proof(prove_lesson.RUN, prove_lesson.run_content(lesson), lambda: prove_lesson.run_problems(lesson))


def of_strangers(name: str) -> Proof:
    """Of an exercise a stranger's right answer passes, and a wrong one does not: the first of each kind."""
    chosen = tried(name)
    digest = hashlib.sha256(b"".join(answer.path.read_bytes() for answer in chosen)).hexdigest()
    return Proof(
        f"the strangers' answers to {name} get what they deserve: {digest}",
        proof_cache.of_exercise(exercise_named(name)),
        lambda: (said for answer in chosen for said in _mistaken(answer)),
    )


def cheats(name: str) -> list[Answer]:
    """Those that are seen. One that several exercises have is tried in the first of them; `make proof` tries all."""
    return [answer for answer in _cheats_by_name().values() if answer.exercise == name]


@cache
def _cheats_by_name() -> dict[str, Answer]:
    known = [answer for answer in answers() if answer.kind == "cheat" and answer.label not in NOT_SEEN_YET]
    return {answer.path.name: answer for answer in reversed(known)}


def of_cheats(name: str) -> Proof:
    """No cheat gets full points of the exercise."""
    return _by_graders(
        f"no cheat passes as {name}",
        name,
        cheats(name),
        lambda: (f"{answer.label} passes" for answer in cheats(name) if _gets_full_points(answer)),
    )


def _gets_full_points(answer: Answer) -> bool:
    """Whether it passes as in a class. What its text says is asked first, which takes a hundredth of the time."""
    exercise, given = exercise_named(answer.exercise), submission_of(answer).answers
    if reached_by(exercise, texts_for(exercise, given)):
        return False  # a person looks at it, whatever it returns
    return _passes_briefly(answer) and result_of(answer)["status"] == "pass"


def once_misled(name: str) -> dict[Answer, str]:
    """Answers to the exercise that were once told a false cause, and what is not to be said of them again."""
    told = dict(line.split(": ", 1) for line in FALSE_CAUSES.read_text().splitlines())
    return {answer: told[answer.label] for answer in answers((name,)) if answer.label in told}


def of_false_causes(name: str) -> Proof:
    """Nobody is misled again who once was."""

    def find() -> Iterator[str]:
        for answer, words in once_misled(name).items():
            if words in (said := said_of(result_of(answer))):
                yield f"{answer.label} is told what is not so: {said}"

    told = "; ".join(f"not {words!r} to {answer.path.stem}" for answer, words in once_misled(name).items())
    return _by_graders(f"what is said of {name} misleads nobody again, {told}", name, [*once_misled(name)], find)


def of_cause(told: Told) -> Proof:
    """Of an answer, that the cause of its mistake is named."""
    return Proof(told.claim, proof_cache.of_exercise(exercise_named(told.exercise)), told.problems)


def of_suspicion(name: str) -> Proof:
    """The solution, its classic mistakes and strangers' right answers hold nothing that gets an answer flagged."""
    exercise, right = exercise_named(name), [answer for answer in answers((name,)) if answer.is_right]

    def find() -> Iterator[str]:
        honest = {"the solution": exercise.source}
        honest |= {mutant.key: exercise.with_mistake(mutant) for mutant in exercise.mutants}
        honest |= {answer.label: submission_of(answer).answers[name].source for answer in right}  # as a class's is read
        for label, source in honest.items():
            on_ranks = exercise.engine.has_ranks
            if seen := reaches_for(source, name, setup_for(exercise), on_ranks=on_ranks, watched=exercise.spied):
                yield f"{label} is suspected: {seen}"

    return _by_graders(f"nobody honest is suspected of cheating at {name}", name, right, find)


def _by_graders(claim: str, name: str, given: list[Answer], find: Callable[[], Iterable[str]]) -> Proof:
    """What hangs on the exercise, on these answers, and on those who read and grade submissions."""
    files = [*(answer.path for answer in given), *sorted(PACKAGES.glob("autograder/grading/**/*.py"))]
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()
    return Proof(f"{claim}: {digest}", proof_cache.of_exercise(exercise_named(name)), find)


def tried(name: str) -> list[Answer]:
    """The first right answer, and the first of the wrong ones that are seen."""
    all_of_them = answers((name,))
    wrong = [a for a in all_of_them if a.kind == "wrong" and a.label not in NOT_SEEN_YET]
    return [a for a in all_of_them if a.is_right][:1] + wrong[:1]


def _mistaken(answer: Answer) -> Iterator[str]:
    """What the grader gets wrong of an answer."""
    passed = _passes_briefly(answer)
    if passed and not answer.is_right:
        passed = result_of(answer)["status"] == "pass"  # what is left out finds more, not less
    if passed != answer.is_right:
        yield f"{answer.label} {'passes' if passed else 'does not pass'}"


class _NotRight(Exception):
    """A case is not right: the others decide nothing any more."""


def _passes_briefly(answer: Answer) -> bool:
    """Whether it passes as in a class, but without Triton's compiler and the diagnosis, which take longest."""
    exercise = exercise_named(answer.exercise)
    given = submission_of(answer).answers
    with Session(worker_sandbox(None), exercise, given, Allowance(LIMITS)) as session:
        right = set()

        def call(prepared: Prepared, once: bool) -> Observation | str:
            seen, key = session.call(prepared, once), prepared.case.key
            if key not in right and judge_case(exercise, prepared, seen).status != "pass":
                raise _NotRight
            right.add(key)  # asked for again in bfloat16, its values mean nothing without a GPU
            return seen

        try:
            verdict = judge(exercise, given[exercise.name].source, SEED, call, diagnosed=False)
        except _NotRight:
            return False
    return verdict.status == "pass"


def of_machine(machine: Any) -> Proof:
    """Of an exercise of caches, that operations in any order find no fault with the course's own."""

    def find() -> Iterator[str]:
        paged_machines.holds(machine)  # or else it raises, with the operations
        yield from ()

    return _by_machine(machine, "holds in any order", find)


def of_mistake(machine: Any, mutant: Mutant) -> Proof:
    def find() -> Iterator[str]:
        if not paged_machines.finds(machine, mutant):
            yield "nothing that it does is wrong"

    return _by_machine(machine, f"the mistake {mutant.name!r} is found", find)


def _by_machine(machine: Any, claim: str, find: Callable[[], Iterable[str]]) -> Proof:
    exercise = paged_machines.exercise_of(machine)
    claim = f"{exercise.name}: {claim}, by {paged_machines.MACHINERY}"
    return Proof(claim, proof_cache.of_exercise(exercise), find)


def all_proofs() -> Iterator[Proof]:
    for name in exercises():
        yield of_exercise(name)
        yield of_strangers(name)
        if cheats(name):
            yield of_cheats(name)
        if once_misled(name):
            yield of_false_causes(name)
        if exercise_named(name).engine.is_python:  # whose code is not Python
            yield of_suspicion(name)
    yield from map(of_tests, SYSTEMS)
    for told in TOLD:
        yield of_cause(told)
    for lesson in lessons():
        yield of_run(lesson)
    for machine in paged_machines.MACHINES:
        yield of_machine(machine)
        for mutant in paged_machines.mistakes_of(machine):
            yield of_mistake(machine, mutant)


def main() -> int:
    lines, status = [], 0
    for proof in all_proofs():
        if problems := proof.problems():
            print("\n".join([f"not proved: {proof.claim}", *problems]), file=sys.stderr)
            status = 1
        else:
            lines.append(proof.line)
            print(proof.claim, flush=True)
    write_atomically(RECORD, "\n".join(sorted(lines, key=lambda line: line.split(" ", 1)[::-1])) + "\n")
    return status


if __name__ == "__main__":
    sys.exit(main())
