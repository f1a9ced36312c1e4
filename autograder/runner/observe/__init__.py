"""Call the learner's function once and record all that the judge wants to know."""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from ..arrays import copy_argument, returned, untouched
from ..engines import ENGINES
from ..engines.engine import Between, Uncounted
from ..engines.results import to_arrays, too_large
from ..failure import Failure, Kind, describe, is_learners
from ..meters.held import KEEPS, Held, held_by
from ..meters.sharing import shared
from ..meters.spies import READER, Spies
from ..observation import Observation
from ..play import play
from .call import Call, called_again, quiet
from .rehearsal import is_rehearsed, rehearsed
from .show import is_looked_into, note_reading_for_show, note_what_is_for_show

__all__ = ["Observation", "observe"]

# What watches a call watches the whole process, and so does the runtime of CUDA kernels: graders that try the course's
# own mistakes, each in a thread of this one, do so one after another.
_alone = threading.RLock()


def observe(
    function: Callable[..., Any], arguments: dict[str, Any], backend: str, once: bool = False,
    spied: Sequence[str] = (), counted: bool = True, anew: Callable[[], Any] | None = None, values_only: bool = False,
) -> Observation:  # fmt: skip
    """Call `function(**arguments)` on fresh copies of the arguments; for a class, `play` the arguments.

    backend: the name of one of ENGINES, which hands over the arguments and counts. once: make the call once; otherwise
    one with small arguments is made twice (see `rehearsal`), and an object is driven in turns with another. spied:
    functions and classes whose calls count. counted: lines and bytes in numpy do too. anew: gives the function as it is
    before its first call, where it can be defined anew: the only call is made of such a one, and so is each that is
    held against it. values_only: whether nothing is asked but what comes out. Raises nothing but KeyboardInterrupt.
    """
    engine = ENGINES[backend]
    if anew is None or engine.on_gpu:  # where kernels would be compiled anew, too
        anew = functools.partial(_as_it_is, function)
    with _alone:
        with called_again():
            function = anew() if once or READER in spied else function
        call = Call(engine, function, arguments, once, spied, anew, values_only)
        seen = Observation(on_gpu=engine.on_gpu and engine.launches_triton)
        given, spies = _watch(call, seen, counted)
        if values_only:
            return seen
        if seen.outputs is not None and call.is_of_object:
            note_reading_for_show(call, seen)
        elif seen.outputs is not None and once:
            seen.outputs = [output.copy() for output in seen.outputs]  # an answer that keeps its memory overwrites them
            note_what_is_for_show(call, seen, spies)
        if not (engine.on_gpu and seen.failure):  # after a bad access there may be nothing left to read
            seen.inputs_changed |= not untouched(given, arguments)
        return seen


def _as_it_is(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, where it cannot be defined anew."""
    return function


def _watch(call: Call, seen: Observation, counted: bool) -> tuple[dict[str, Any], Spies]:
    """Make the call and note what is seen of it. Returns what the function was given, and the spies on it."""
    given = call.engine.hand_over(copies := copy_argument(call.arguments))
    result, before, things = None, None, list[Any]()
    between: Between = Uncounted()
    with contextlib.ExitStack() as stack:
        stack.enter_context(quiet())
        if is_rehearsed(call):
            given, before = rehearsed(call, seen, given, copies)
        # now: what is made in the call is in the meter's count
        held = Held() if call.values_only else held_by(call.function, is_learners)
        spies = stack.enter_context(Spies(call.function, call.spied, looks=is_looked_into(call)))
        if call.is_metered and (counted or not call.engine.counts_lines):
            known = None if call.is_of_object else given
            between = stack.enter_context(call.engine.meters(seen, known, call.home, spies))
        if call.once:
            stack.enter_context(call.engine.at_its_place(call.spied))
        try:
            result = _result(call, seen, given, spies, between, things)
            call.engine.finish()
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            seen.failure = describe(error, call.home)
    seen.called, seen.numbers, seen.read = dict(spies.called), dict(spies.numbers), spies.read
    if not call.values_only:
        _note_what_is_held(seen, held, things, alike=1 if call.once else 2)
    with Spies(call.function, call.spied):
        things.clear()  # its generators end, and may take what is counted
    if seen.failure is None:
        _note_results(call, seen, result, given, before)
    return given, spies


def _result(
    call: Call, seen: Observation, given: dict[str, Any], spies: Spies, between: Between, things: list[Any]
) -> Any:
    """What the function returns, or an object of the class says, which is put among the things."""
    if isinstance(call.function, type):
        turn = None if call.once else call.chance().randrange(2)  # which of two is looked at
        hooks: dict[str, Any] = {"between": between.note_held, "writes_at": between.writes_at}
        hooks |= {"operation": spies.operation, "things": things}
        hooks["raised"] = functools.partial(_note_answer_by_error, seen, call.home)
        marks = None if call.values_only else seen.shared
        return play(call.function, **given, marks=marks, turn=turn, **hooks)
    with spies.operation():
        return call.engine.call(seen, call.function, given)


def _note_answer_by_error(seen: Observation, home: str, step: int, error: Exception) -> None:
    """Take down the line at which a step raised an error that counts as its answer."""
    seen.raised.append(replace(describe(error, home), step=step))


def _note_what_is_held(seen: Observation, held: Held, things: list[Any], alike: int) -> None:
    """Add what no operation of torch's allocated. alike: how many objects like this one were driven in turns."""
    of_things = [held_by(x, is_learners, tensors=False) for x in things]
    for name in held.unknown.union(*(held_of.unknown for held_of in of_things)):
        seen.operations[KEEPS + name] = 0
    if "peak_bytes" not in seen.counts:
        return
    beside = held.bytes + sum(held_of.bytes for held_of in of_things)
    seen.counts["peak_bytes"] += beside
    if things:
        seen.counts["held_bytes"] = seen.counts["held_bytes"] // alike + beside
        seen.counts["floats_held"] //= alike
        seen.counts["floats_made"] //= alike


def _note_results(call: Call, seen: Observation, result: Any, given: dict[str, Any], before: Any) -> None:
    """Take down what a call returned, and in whose memory it lies."""
    if said := too_large(result):
        seen.failure = Failure(Kind.TOO_LARGE, said)
        return
    if not call.is_of_object:
        results = returned(result)
        seen.shared = shared(results, given, before=before, written=seen.written)
        if seen.regions is not None:
            seen.note("stored_region", *seen.regions.largest_in(results))
            seen.note("stored_pieces", *seen.regions.pieces_in(results))
            seen.note("out_of_order", *seen.regions.out_of_order_in(results))
    seen.outputs, problem = to_arrays(result, call.engine)
    if problem:
        seen.failure = Failure("TypeError", problem)
