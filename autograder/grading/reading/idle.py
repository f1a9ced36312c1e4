"""What a file holds beside its answers, and answers do not need: it is left out, and nobody is suspected of it.

Files of one's own set warnings, seeds and paths, import what a benchmark below takes, and name what they export. None
of it is run where nothing that the answers use comes from it.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from ...judging.limits.operations import forbidden_by
from ...spec.code.names import DEFINITIONS, bound_by, names_used
from ...spec.code.unreached import begin, blanked
from ...spec.exercise import Exercise
from ..screening import suspects
from ..screening.names import is_stored, root_of


def without_idle(
    source: str, known: str, others: Collection[str], answers: Sequence[Exercise]
) -> dict[str, tuple[str, list[int]]]:
    """For each of the exercises that a source answers, its text with `pass` in place of suspect statements that nothing
    which this one uses takes anything from, and their lines.

    known: what is run before it. others: names that other code uses. answers: these exercises, whose calls count, and
    which forbid some operations. A text that cannot be parsed stays as it is.
    """
    found = _suspected(source, known, others, answers)
    return {e.name: found.without(e.name, others) if found else (source, []) for e in answers}


@dataclass(frozen=True)
class _Suspected:
    """A text's statements, the names that each of them binds and uses, and which are suspect, or use such a one."""

    source: str
    statements: list[ast.stmt]
    own: list[set[str]]
    named: list[set[str]]
    suspects: set[int]

    def without(self, answer: str, others: Collection[str]) -> tuple[str, list[int]]:
        """The text without those of them that neither this answer uses nor other code, and their lines."""
        idle, every = {*self.suspects}, {*range(len(self.own))}
        while needed := {i for i in idle if self.own[i] & {answer, *others, *_of(self.named, every - idle)}}:
            idle -= needed
        gone = [statement for i, statement in enumerate(self.statements) if i in idle]
        return (blanked(self.source, gone), [begin(s)[0] for s in gone]) if gone else (self.source, [])


def _suspected(source: str, known: str, others: Collection[str], answers: Sequence[Exercise]) -> _Suspected | None:
    """None if there is nothing that could be left out."""
    watched = {name for exercise in answers for name in exercise.spied}

    def is_refused(node: ast.AST) -> bool:
        return any(True for exercise in answers for _ in forbidden_by(exercise, node))

    try:
        idle = suspects(source, known, others, watched, is_refused)
    except RecursionError:
        return None
    if not idle or "\r" in source:  # which ends lines for Python alone
        return None
    statements = ast.parse(source).body
    own, named = [{*_bound(s)} for s in statements], [names_used(s, source) for s in statements]
    while more := {i for i, names in enumerate(named) if i not in idle and names & _of(own, idle)}:
        idle |= more  # what uses a suspect may be as idle as that
    imports = {i for i, statement in enumerate(statements) if isinstance(statement, ast.Import | ast.ImportFrom)}
    made = _of(own, {*range(len(own))} - imports)
    idle -= {i for i in idle if "*" in own[i] or made.intersection(_stored_into(statements[i]))}
    return _Suspected(source, statements, own, named, idle)


def _of(names: list[set[str]], these: set[int]) -> set[str]:
    """All names of these statements."""
    return set[str]().union(*(names[i] for i in these))


def _bound(statement: ast.stmt) -> Iterator[str]:
    """The names that a statement gives something to, at the file's own level."""
    if isinstance(statement, DEFINITIONS):
        yield statement.name
    else:
        yield from itertools.chain.from_iterable(map(bound_by, ast.walk(statement)))


def _stored_into(statement: ast.stmt) -> Iterator[str]:
    """The names of what a statement changes: f of f.calls = 0, and of @f.register."""
    for decorator in getattr(statement, "decorator_list", ()):
        named = decorator.func if isinstance(decorator, ast.Call) else decorator
        root = root_of(named)
        if isinstance(named, ast.Attribute) and isinstance(root, ast.Name):
            yield root.id
    for node in ast.walk(statement):
        if isinstance(node, ast.Attribute | ast.Subscript) and is_stored(node):
            root = root_of(node)
            if isinstance(root, ast.Name):
                yield root.id
