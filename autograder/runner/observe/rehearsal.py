"""A call with other numbers before the one that counts: it finds out who remembers a call. In the same memory, but for
a GPU, where the arguments of the call that counts lie already, and for streams, which can be read once.
"""

from __future__ import annotations

import contextlib
from typing import Any

from ..arrays import Stream, arrays_in, untouched
from ..meters.spies import Spies
from ..observation import Observation
from ..wall.out_of_time import Timeout
from .call import Call, called_again, make_others_of, with_other_numbers

FEW_NUMBERS = 1000  # in the arguments of a call that is worth making twice


def is_small(arguments: dict[str, Any]) -> bool:
    """Whether a second call costs next to nothing."""
    return sum(x.size for x in arrays_in(arguments)) <= FEW_NUMBERS


def is_rehearsed(call: Call) -> bool:
    """Whether the function is called before, too."""
    return not (call.once or call.is_of_object) and call.engine.calls_twice and is_small(call.arguments)


def rehearsed(
    call: Call, seen: Observation, given: dict[str, Any], copies: dict[str, Any]
) -> tuple[dict[str, Any], Any]:
    """The arguments for the call that counts, and what one with other numbers has returned before it.

    given, copies: the arguments as the function is given them, and the arrays in whose memory they lie.
    """
    engine = call.engine
    if engine.on_gpu or any(isinstance(value, Stream) for value in given.values()):
        return given, _returned_elsewhere(call)
    meters = contextlib.nullcontext() if engine.only_counts else engine.meters(Observation(), given, call.home)
    with Spies(call.function, call.spied):  # which the answer may keep for the call that counts
        with meters, called_again():
            before = _returned_for_others(call, given, copies)
        if untouched(given, call.arguments):
            return given, before
        seen.inputs_changed = True  # a list, say: the call that counts begins with what it held
        return call.hand_over(), None


def _returned_elsewhere(call: Call) -> Any:
    """What the function returns for other numbers in other memory, None if it raises. On a GPU the arguments of the
    call that counts lie there already: after a bad access none could be brought there.
    """
    try:
        with Spies(call.function, call.spied), called_again():
            result = call.function(**call.engine.hand_over(with_other_numbers(call.arguments)))
            call.engine.finish()
        return result
    except (KeyboardInterrupt, Timeout):
        raise
    except BaseException:
        return None


def _returned_for_others(call: Call, given: dict[str, Any], copies: dict[str, Any]) -> Any:
    """What the function returns for other numbers in the same memory, None if it raises. The right ones stand there
    again after it: whoever remembers a call by its arguments' addresses, or keeps its results' memory, is found out.
    """
    views = [x.view() for x in arrays_in(copies)]  # which stay as they are if the function changes an array's own form
    make_others_of(views)
    try:
        return call.function(**given)
    except (KeyboardInterrupt, Timeout):
        raise
    except BaseException:
        return None
    finally:
        for x, right in zip(views, arrays_in(call.arguments), strict=True):
            x[...] = right
