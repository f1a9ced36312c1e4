"""An object that keeps blocks, driven through a case: its block tables and counts after every operation.

All of it is read through the methods that the exercise declares: `counts`, and where there are tables `table`, and
`gather` or `tokens`. So what is shown is the learner's own object, whatever it keeps inside, right or wrong.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import torch

from ..judging.prepare import PUBLIC_SEED, prepare
from ..runner.arrays import as_torch, copy_argument
from ..runner.failure import describe
from ..runner.meters.words import counted
from ..runner.play import Step
from ..showing.markup import clip
from ..spec.exercise import Exercise
from ..spec.user_error import UserError
from .film import stopped

LOOKS = ("counts", "table", "gather", "tokens")  # the methods that read an object without changing it


@dataclass
class Pages:
    """What is seen of the object at one time.

    counts: how many hold each block. tables: the blocks of each existing sequence, by its number; lengths: its tokens,
    None where `gather`, or `tokens`, gives no answer.
    """

    counts: list[int]
    tables: dict[Any, list[int]] = field(default_factory=dict)
    lengths: dict[Any, int | None] = field(default_factory=dict)

    def of(self, parents: list[int]) -> Pages:
        """The same as seen by the successors of these sequences, numbered in their order."""
        there = {i: parent for i, parent in enumerate(parents) if parent in self.tables}
        tables = {i: self.tables[parent] for i, parent in there.items()}
        return Pages(self.counts, tables, {i: self.lengths[parent] for i, parent in there.items()})


@dataclass
class Move:
    """One operation: its call, how it ended, and what was seen before and after it.

    parents: of whom each sequence is the successor, where an operation replaces all of them; `before` is then what was
    seen of these. ended_here: the sequences that have none.
    """

    call: str
    ended: str  # what was returned, or the name of the error that was raised
    raised: bool
    before: Pages
    after: Pages
    block_size: int = 1
    parents: list[int] = field(default_factory=list)
    ended_here: list[int] = field(default_factory=list)

    @property
    def taken(self) -> set[int]:
        """Blocks taken that were free before."""
        held = {block for block, count in enumerate(self.before.counts) if count}
        return {block for block, count in enumerate(self.after.counts) if count and block not in held}

    @property
    def replaced(self) -> list[tuple[Any, int, int]]:
        """(sequence, old, new) for each block that was replaced by another one: copy-on-write."""
        found = []
        for sequence, table in self.after.tables.items():
            pairs = zip(self.before.tables.get(sequence, []), table)
            found += [(sequence, old, new) for old, new in pairs if old != new]
        return found

    @property
    def wrong_blocks(self) -> set[int]:
        """Blocks whose count is not the number of tables that name them; where there are no tables, below 0."""
        named = self.named()
        if not (self.before.tables or named):
            return {block for block, count in enumerate(self.after.counts) if count < 0}
        pool = dict(enumerate(self.after.counts))
        return {block for block in pool.keys() | named if pool.get(block, -1) != named[block]}

    def named(self) -> Counter[int]:
        """In how many tables each block is."""
        return Counter(block for table in self.after.tables.values() for block in table)

    def wrong(self) -> Iterator[str]:
        """What cannot be right, in sentences for a caption."""
        if self.raised and self.before != self.after:
            yield "raised, and yet something has changed"
        for _, block in self.overwritten():
            yield f"block {block} is shared, and written to"
        named = self.named()
        for block in sorted(self.wrong_blocks):
            if not 0 <= block < len(self.after.counts):
                yield f"there is no block {block}"
                continue
            count = self.after.counts[block]
            tables = f", in {named[block]} {'table' if named[block] == 1 else 'tables'}" if self.after.tables else ""
            yield f"block {block}: {f'held by {count}' if count else 'free'}{tables}"

    def overwritten(self) -> Iterator[tuple[Any, int]]:
        """(sequence, block): a sequence has stored tokens in a block that another one has too."""
        for sequence, table in self.after.tables.items():
            before, after = self.before.lengths.get(sequence), self.after.lengths.get(sequence)
            if before is None or after is None or after <= before or before % self.block_size == 0:
                continue
            others = [other for name, other in self.after.tables.items() if name != sequence]
            last = before // self.block_size  # the partly filled block
            if last < len(table) and any(table[last] in other for other in others):
                yield sequence, table[last]


@dataclass
class PageFilm:
    """All operations of a case. case: its number from 1, title: its name; stopped: why there are no more."""

    name: str
    case: int
    title: str
    frames: list[Move]
    stopped: str = ""


def page_film(exercise: Exercise, kind: Callable[..., Any], case: int) -> PageFilm:
    """Make an object of the learner's class and drive it through the case (counted from 1).

    Raises UserError if the exercise keeps no blocks, or if the object fails before there is anything to see.
    """
    if "counts" not in exercise.methods:
        raise UserError(
            f"{exercise.name} launches no kernel and keeps no blocks; trace shows a kernel's tiles, or the blocks of "
            "an allocator or a paged cache"
        )
    prepared = prepare(exercise.name, case - 1, PUBLIC_SEED)
    given = as_torch(copy_argument(prepared.arguments))
    size = given["init"].get("block_size", 1)
    sequences = _sequences(given["steps"]) if "table" in exercise.methods else []
    film = PageFilm(exercise.name, case, prepared.case.name, [])
    doing = f"{exercise.name}({_said(given['init'])})"
    try:
        thing = kind(**given["init"])
        pages = _look(exercise, thing, sequences)
        for method, arguments in given["steps"]:
            if method in LOOKS or method.startswith("."):
                continue
            doing = f"{method}({_said(arguments)})"
            ended, raised = "", False
            try:
                ended = _returned(getattr(thing, method)(**arguments))
            except Exception as error:
                if type(error).__name__ not in exercise.errors:
                    raise
                ended, raised = type(error).__name__, True
            before, pages = pages, _look(exercise, thing, sequences)
            move = Move(doing, ended, raised, before, pages, size)
            if "parents" in arguments and not raised:
                move.parents, move.before = arguments["parents"], before.of(arguments["parents"])
                move.ended_here = [name for name in before.tables if name not in move.parents]
            film.frames.append(move)
    except Exception as error:
        film.stopped = stopped(exercise.name, describe(error), f" in {doing}")
        if not film.frames:
            raise UserError(film.stopped) from None
    return film


def _sequences(steps: list[Step]) -> list[dict[str, Any]]:
    """The arguments of `table` for every sequence that the case knows."""
    found = {repr(arguments): dict(arguments) for method, arguments in steps if method == "table"}
    return sorted(found.values(), key=lambda arguments: list(arguments.values()))


def _look(exercise: Exercise, thing: Any, sequences: list[dict[str, Any]]) -> Pages:
    pages = Pages(_numbers(thing.counts()))
    for arguments in sequences:
        (sequence,) = arguments.values()
        try:
            table = _numbers(thing.table(**arguments))
        except Exception as error:
            if type(error).__name__ not in exercise.errors:
                raise
            continue  # it does not exist
        pages.tables[sequence] = table
        pages.lengths[sequence] = _length(thing, arguments) if table else 0
    return pages


def _numbers(tensor: Any) -> list[int]:
    return [int(x) for x in torch.as_tensor(tensor).flatten().tolist()]


def _length(thing: Any, sequence: dict[str, Any]) -> int | None:
    """The tokens that `tokens` or `gather` returns; None if it is not written yet or returns something else."""
    try:
        if hasattr(type(thing), "tokens"):
            return len(thing.tokens(**sequence))
        k, _ = thing.gather(**sequence)
        return int(k.shape[1])
    except Exception:
        return None


def _said(arguments: dict[str, Any]) -> str:
    """The arguments of a call as captions write them: 1, 3 tokens; 0 -> 1."""
    if {"parent", "child"} == arguments.keys():
        return f"{arguments['parent']} -> {arguments['child']}"
    if "parents" in arguments:
        return f"{arguments['parents']}, a token each"
    arguments = {name: value for name, value in arguments.items() if name != "model"}  # a matrix
    found = []
    for name, value in arguments.items():
        if name in ("k", "v", "tokens", "prompt"):
            n = value.shape[1] if isinstance(value, torch.Tensor) else len(value)
            found.append(counted(n, "token"))
        else:
            found.append(str(value))
    return ", ".join(dict.fromkeys(found)) if "k" in arguments else ", ".join(found)


def _returned(result: Any) -> str:
    plain = type(result) in (int, list, tuple)
    return clip(str(result), 40) if plain else ""
