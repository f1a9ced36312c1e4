"""Calls: which functions and classes an answer has to call, how often, and with use made of what they give."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from ...runner.meters.idle import BACKWARD, BY_OTHERS, ENDED, KEPT, ONES, PRODUCTS
from ...runner.meters.spies import (
    ALONE,
    BEFORE,
    BY_NUMBERS,
    GIVEN,
    MADE,
    MAIN_MEMORY,
    MOST_TOLD,
    ONE_CALL,
    READER,
    ROWS,
    STORING,
    TOOK,
)
from ...runner.meters.words import counted
from ...runner.observe import Observation
from ...spec.exercise import Exercise
from ..prepare import Prepared
from ..verdict import OverBudget

ANOTHER_ORDER = 1e-5  # a sum's part by which it differs, at most, that is taken so


def miscalled(exercise: Exercise, prepared: Prepared, seen: Observation) -> Iterable[OverBudget]:
    """What a call that returned called too seldom or too often, and what it says of main memory that is not so."""
    for name, wanted in exercise.calls.items():
        number, asked = seen.called.get(name, 0), wanted(prepared.arguments)
        least, most = (asked[0], asked[-1]) if isinstance(asked, range) else (asked, math.inf)
        if number < least:
            fewer = f"{_made_of(name, number)}, at least {least} are asked for"
            none = f"never calls {name} in this case: that is the point of this exercise"
            yield OverBudget("calls", fewer if number else none, number, least)
        elif number > most:
            yield OverBudget("calls", f"{_made_of(name, number)}, allowed {most}", number, int(most))
        elif isinstance(asked, range) and number not in asked:
            yield OverBudget("calls", f"{_made_of(name, number)}, which is no multiple of {asked.step}", number, least)
    for name, (meaning, numbers) in exercise.takes.items():
        wanted_numbers = numbers(prepared.arguments).astype(float).tolist()
        given, made = ([*seen.numbers.get(name + what, ())] for what in (TOOK, MADE))
        missing = _not_given(wanted_numbers, given)
        if missing and seen.called.get(name):
            others = f" and {len(missing) - 1} more" if missing[1:] else ""
            said = (
                f"never gives {name} {missing[0]:.7g}{others}, of {counted(len(wanted_numbers), 'number')} that it has "
            )
            yield OverBudget("calls", f"{said}to take: {meaning}", len(missing), 0)
        strange = _not_given(given, [*wanted_numbers, *made, 0])
        goes_on = f"{name}{BY_NUMBERS}" in exercise.calls  # from what it has made, until all is used up
        if goes_on and strange and wanted_numbers and len(given) + len(made) < MOST_TOLD // 2:
            said = f"gives {name} {strange[0]:.7g}, which it has not made itself, and which is no {meaning}"
            yield OverBudget("calls", said, len(strange), 0)
    if exercise.tiles:
        tiles = {f"{ROWS}{first} to {last}" for first, last in exercise.tiles(prepared.arguments)}
        for name in [name for name in seen.called if name.startswith(ROWS) and name not in tiles][:1]:
            said = f"loads the rows {name.removeprefix(ROWS)} at once, which are no tile of the size that is given"
            yield OverBudget("calls", said, 1, 0)
    if MAIN_MEMORY in exercise.calls:
        for expected, found in zip(prepared.expected, seen.outputs or ()):
            name = expected.output.name
            moved = seen.called.get(f"{MAIN_MEMORY}.{name.removesuffix('s')}", 0)
            if name in ("loads", "stores") and found.size == 1 and moved != int(found.item()):
                said = f"returns {int(found.item()):,} {name}, but {moved:,} numbers went through Memory"
                yield OverBudget("calls", said, 1, 0)


def _not_given(wanted: Sequence[float], given: Iterable[float]) -> list[float]:
    """Which numbers were given to nobody, but for what sums in another order differ by."""
    there = np.sort([-np.inf, *given, np.inf])
    after = np.searchsorted(there, wanted)
    is_near = [np.isclose(there[at], wanted, rtol=ANOTHER_ORDER, atol=0) for at in (after, after - 1)]
    return [number for number, *near in zip(wanted, *is_near, strict=True) if not any(near)]


def _made_of(name: str, number: int) -> str:
    """So many calls, or so many numbers in all calls."""
    if BEFORE in name:
        first, _, second = name.partition(BEFORE)
        return f"leaves {counted(number, 'number')} to {first} before one call of {second}"
    if name.endswith(GIVEN):
        return f"gives {name.removesuffix(GIVEN)} {counted(number, 'number')}"
    function = name.removesuffix(BY_NUMBERS)
    if function != name:
        return f"leaves {counted(number, 'number')} to {function}"
    return f"makes {counted(number, 'call')} of {name}"


def called_for_show(exercise: Exercise, prepared: Prepared, seen: Observation) -> Iterable[OverBudget]:
    """What a call that returned called, or divided, without a need for what came of it."""
    for name in seen.idle:
        if name == ONES:
            bound = exercise.budget.normalised
            if bound and bound.least and prepared.case.budget:  # in others what came before may weigh nothing
                said = "divides the output on the way for show: what it returns is the same with another quotient"
                yield OverBudget("divisions", said, 0, 1)
            continue
        if name == BY_OTHERS:
            said = (
                f"what comes out is not made of the products of {PRODUCTS} alone: leave all of them to it, use what "
                "it returns, and read nothing from outputs that has not been written"
            )
            yield OverBudget("calls", said, 0, 1)
            continue
        if name == ENDED:
            said = f"it ends with an error where the products of {PRODUCTS} are other numbers, which no kernel has to"
            yield OverBudget("calls", said, 0, 1)
            continue
        if name == BACKWARD:
            said = "backward does not use the gradient that autograd hands it, which is another one for another loss"
            yield OverBudget("calls", said, 0, 1)
            continue
        if name.startswith(KEPT):
            said = f"{name} is read in name only: with other numbers there, most of yours stay what they are"
            yield OverBudget("calls", said, 0, 1)
            continue
        if ALONE in name:
            method, _, array = name.partition(ALONE)
            said = f"the {array} that {method} stores is not read: with others there, most of yours stay what they are"
            yield OverBudget("calls", said, 0, 1)
            continue
        others = "all of yours" if name == READER or name.startswith(MAIN_MEMORY) else "most of yours"
        changed = "numbers stored by" if name.partition(ONE_CALL)[0] in STORING else "results of"
        said = f"{name} is called in name only: with other {changed} it, {others} stay what they are"
        yield OverBudget("calls", said, 0, 1)
    for name in seen.constant:
        said = f"{name} is called for show: it is given the same numbers whatever the arguments are; give it theirs"
        yield OverBudget("calls", said, 0, 1)


def misread(exercise: Exercise, prepared: Prepared, seen: Observation) -> Iterable[OverBudget]:
    """The first operation in which the model read more tokens than it has to, or fewer, or an object's operation did
    not have them read in one step; of right values only.
    """
    if exercise.reads is None:
        return
    wanted, names = [*exercise.reads(prepared.arguments)], ["this function"]
    if prepared.returns:  # an object, which is to be made without it
        wanted.insert(0, 0)
        names = [f"{method}, operation {number}," for number, (method, _) in enumerate(prepared.steps, 1)]
        names.insert(0, "the making of the object")
    for where, steps, due in zip(names, seen.read, wanted):
        if (read := sum(steps)) != due:
            said = f"in {where} the model reads {counted(read, 'token')}, and it has to read {due}"
            yield OverBudget("calls", said, max(read, 1), due)
            return
        if prepared.returns and len(steps) > 1:
            said = f"in {where} the model makes {len(steps)} steps, and one has to read all {due} tokens"
            yield OverBudget("calls", said, len(steps), 1)
            return
