"""An object with state, driven through operations: what each of them returns, or which error it raises."""

from __future__ import annotations

import contextlib
import sys
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from .arrays import returned
from .meters.sharing import blocks_of, blocks_within, shared

# A method and its arguments, or ".name": an attribute is looked at, or what it holds under the argument.
Step = tuple[str, Mapping[str, Any]]
MOST_VALUES = 1000  # values that one step may return
LISTS = 8  # that are looked at again after later steps


def play(
    kind: type,
    init: Mapping[str, Any],
    steps: Sequence[Step],
    errors: Sequence[str] = (),
    marks: list[str] | None = None,
    things: list[Any] | None = None,
    turn: int | None = None,
    between: Callable[[], None] = lambda: None,
    writes_at: Callable[[int], int] = lambda memory: 0,
    operation: Callable[[], contextlib.AbstractContextManager[None]] = contextlib.nullcontext,
    raised: Callable[[int, Exception], None] = lambda number, error: None,
) -> list[Any]:
    """Make `kind(**init)` and call its methods, or look at its attributes, one after another.

    errors: names of exceptions that count as answers, those derived from them too. Returns for each step a whole
    number, followed by what the method returned: the number is how many values those are, or -1 - i for error
    number i. Any other exception is raised, with the number of its step (from 1) as its attribute `step`; 0 is the
    making of the object. So is a TypeError about a value that is neither a tensor nor an array nor a number.
    marks: filled with what each value shares its memory with (see `_Views`). things: filled with the object. turn:
    drive another object too, in turns, with other numbers, which must not matter; 0 if the one that is asked comes
    first, 1 if it is the second to be made and to take each step. between: called after each step, when what it
    returned is gone, but for views. writes_at: how often the memory at an address has been written to. operation: the
    context of the making of the object that is asked, and of each of its steps. raised: called with the step and the
    error that counts as its answer.
    """
    seen: list[Any] = []
    number = 0
    views = None if marks is None else _Views(marks, writes_at)
    try:
        made = list(_made(kind, init, 1 if turn is None else 2, turn or 0, operation))
        thing = made.pop(turn or 0)
        before, after = ([], made) if turn == 0 else (made, [])
        if things is not None:
            things.append(thing)
        for number, (method, arguments) in enumerate(steps, 1):
            code, answer = None, None
            others = _otherwise_taken(before, method, arguments)
            try:
                with operation():
                    answer = _asked(thing, method, arguments)
                    values = _values(method, answer)
            except Exception as error:
                if (code := _code_of(error, errors)) is None:
                    raise
                raised(number, error)
                seen.append(code)
                values = []
            else:
                seen += [len(values), *map(_kept, values)]
            others += _otherwise_taken(after, method, arguments)
            if views is not None:
                views.mark(method, values, arguments, thing, others, answer, refused=code is not None)
            values, others, answer = [], [], None
            between()
    except BaseException as error:
        with contextlib.suppress(Exception):  # an exception that takes no attributes
            error.step = number  # type: ignore[attr-defined]
        raise
    return seen


def _made(
    kind: type,
    init: Mapping[str, Any],
    n: int,
    asked: int,
    operation: Callable[[], contextlib.AbstractContextManager[None]],
) -> Iterator[Any]:
    """n objects, one after another, of which number `asked` is made in the context of an operation."""
    for place in range(n):
        with operation() if place == asked else contextlib.nullcontext():
            yield kind(**init)


def _code_of(error: Exception, errors: Sequence[str]) -> int | None:
    """-1 - i where it counts as error number i, else None."""
    names = [kind.__name__ for kind in type(error).__mro__]  # an IndexError is a LookupError
    expected = next((name for name in names if name in errors), None)
    return None if expected is None else -1 - list(errors).index(expected)


def _asked(thing: Any, method: str, arguments: Mapping[str, Any]) -> Any:
    """What a method returns, or what an attribute holds."""
    if not method.startswith("."):
        return getattr(thing, method)(**arguments)
    value = getattr(thing, method[1:])
    for key in arguments.values():
        value = value[key]
    return np.array(value) if type(value) in (list, tuple) else value


def _otherwise_taken(things: Sequence[Any], method: str, arguments: Mapping[str, Any]) -> list[Any]:
    """What a step with other numbers returns, of which nothing is asked but whose memory it is."""
    taken = []
    for thing in things:
        with contextlib.suppress(Exception):
            taken.append(_asked(thing, method, otherwise(arguments)))
    return taken


class _Views:
    """The marks of all steps, and the views of the object's own memory that somebody may hold.

    A mark says what a value shares its memory with (see `sharing`), "o" too if it is the first in a list of whole
    numbers that holds others after one of the next steps, and "m" if it is a view of the object's own memory in which
    something else stands after a later step, up to the next method that returns such views, "w" if it is such a view
    and the step that returned it wrote into memory of which an earlier one was; and for the number before the values
    "k" if the object keeps the memory of the step's arguments, "e" if it is an empty list that was returned before.
    """

    def __init__(self, marks: list[str], writes_at: Callable[[int], int]):
        self.marks, self.writes_at = marks, writes_at
        self.held: list[tuple[int, Any, Any]] = []  # place among the marks, view, and what stood in it
        self.whole: list[tuple[int, Any, Any]] = []  # the same of all the memory of which each is a view
        self.attributes: dict[str, tuple[int, Any]] = {}  # the last look at each: its place among the marks, the view
        # The last of the lists: the place of the first value, the list itself, and what it held.
        self.lists: deque[tuple[int, list[Any], list[Any]]] = deque(maxlen=LISTS)
        self.empty: deque[list[Any]] = deque(maxlen=LISTS)
        self.writes: dict[int, int] = {}  # memory of which views have come out, and its writes up to the last step

    def mark(
        self,
        method: str,
        values: Sequence[Any],
        arguments: Mapping[str, Any],
        thing: Any,
        others: Sequence[Any],
        answer: Any,
        refused: bool = False,
    ) -> None:
        """Add the marks of a step; what the object holds is looked for once. others: what the step of another object
        has returned. answer: that of which the values are the parts. refused: it has raised an error that counts as its
        answer, and may have changed nothing, where no view shows it either.
        """
        for place, view, there in [*self.held, *(self.whole if refused else [])]:
            self.marks[place] += "m" * ("m" not in self.marks[place] and not _is_still(view, there))
        blocks, first = blocks_within(thing), len(self.marks) + 1
        self.marks += ["k" * (not blocks.isdisjoint(blocks_of(arguments))), *shared(values, arguments, blocks, others)]
        own = [(first + i, value) for i, value in enumerate(values) if "o" in self.marks[first + i]]
        self._look(own)
        if not method.startswith("."):
            self.held = [(place, value, _kept(value)) for place, value in own] or self.held
        elif own:
            self.attributes[method] = own[0]
        views = [*((place, view) for place, view, _ in self.held), *self.attributes.values()]
        memories = [(place, _memory_of(view)) for place, view in views]
        self.whole = [(place, memory, _kept(memory)) for place, memory in memories if memory is not None]
        self._mark_lists(answer, len(values))

    def _mark_lists(self, answer: Any, n_values: int) -> None:
        """Mark the lists that steps before have returned and that hold something else now. answer: the last one's."""
        for place, handed_out, there in self.lists:
            if "o" not in self.marks[place] and handed_out != there:
                self.marks[place] += "o"
        if n_values and type(answer) is list and all(type(item) is int for item in answer):
            self.lists.append((len(self.marks) - n_values, answer, list(answer)))
        elif type(answer) is list and not answer:
            self.marks[-1] = self.marks[-1] or "e" * any(answer is empty for empty in self.empty)
            self.empty.append(answer)

    def _look(self, own: Sequence[tuple[int, Any]]) -> None:
        """Mark the views that a step has returned, if it wrote: who looks at what is stored changes nothing."""
        wrote = any(self.writes_at(memory) > before for memory, before in self.writes.items())
        for place, _ in own if wrote else ():
            self.marks[place] += "w"
        known = {*self.writes, *blocks_of([view for _, view in own])}
        self.writes = {memory: self.writes_at(memory) for memory in known}


def _values(method: str, result: Any) -> list[Any]:
    if result is None:
        return []
    values = returned(result)
    if len(values) > MOST_VALUES:
        raise TypeError(f"{method} returned {len(values)} values")
    for value in values:
        if type(value) not in (int, float, bool) and type(value).__module__ not in ("torch", "numpy"):
            raise TypeError(f"{method} returned an object of type {type(value).__name__}; expected tensors or numbers")
    return values


def otherwise(value: Any) -> Any:
    """The same arguments in memory of their own, with other numbers where they are no whole numbers.

    Those are the numbers with the other sign, so that nothing tells which of two objects is given the right ones.
    """
    if isinstance(value, Mapping):
        return {name: otherwise(item) for name, item in value.items()}
    if isinstance(value, list):
        return [otherwise(item) for item in value]
    return _kept(value, negated=True)


def _memory_of(view: Any) -> Any:
    """All bytes of the memory of which a tensor is a view; None of anything else."""
    torch = sys.modules.get("torch")
    if not torch or type(view) is not torch.Tensor:
        return None
    from .tensors import read
    from .tensors.unseen import unseen

    with unseen():
        return read.bytes_among(view)


def _is_still(view: Any, there: Any) -> bool:
    """Whether a view shows what stood in it."""
    torch = sys.modules.get("torch")
    if torch and type(view) is torch.Tensor:
        from .tensors import read
        from .tensors.unseen import unseen

        with unseen():
            return bool(read.is_equal(view, there))
    return bool(np.array_equal(view, there))


def _kept(value: Any, negated: bool = False) -> Any:
    """A copy of the value: a later operation may overwrite the memory of which it is a view. negated: of a tensor."""
    torch = sys.modules.get("torch")
    if torch and type(value) is torch.Tensor:
        from .tensors import read
        from .tensors.unseen import unseen

        with unseen():
            copy = read.copied(value)
            return read.times(copy, -1) if negated and read.is_real(copy) else copy
    return value.copy() if type(value) is np.ndarray else value
