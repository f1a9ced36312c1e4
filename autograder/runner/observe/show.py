"""What an answer makes use of for show, found by calls after the one that counts, in which it is altered."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..arrays import arrays_in
from ..failure import is_learners
from ..meters.held import GROWS, held_by
from ..meters.idle import BACKWARD, FACTOR, LEFT, ONES, SWAYED, constant, differs, given_in, idle, kept_for_show
from ..meters.spies import READER, STORING, TOOK, Spies, one_of
from ..observation import Observation
from ..tensors.normalised import Normalised, with_ones, with_other_scores
from ..tensors.powers import Exponentials, ends, in_whole_tiles, of_the_last_tile, with_a_key_lifted
from .call import Again, Call, called_again, with_other_numbers
from .gradients import are_for_show

MANY_NUMBERS = 1_000_000  # in the arguments of a call that is worth making again and again


def is_looked_into(call: Call) -> bool:
    """Whether what the helpers are given is taken down in the call that counts. What counts lines would see that."""
    return call.once and not (call.is_of_object or call.engine.counts_lines) and _is_made_again(call)


def _is_made_again(call: Call) -> bool:
    return sum(x.size for x in arrays_in(call.arguments)) <= MANY_NUMBERS


def note_reading_for_show(call: Call, seen: Observation) -> None:
    """Whether an object has read something, and says the same where it reads something else."""
    if any(map(any, seen.read)):
        with called_again():
            seen.idle = idle(call.anew, [READER], False, seen.outputs or [], call.again())


def note_what_is_for_show(call: Call, seen: Observation, spies: Spies) -> None:
    """What a function made use of in name only."""
    with called_again():
        if LEFT in call.spied and _is_made_again(call) and (left := _left_behind(call)):
            seen.operations[f"{GROWS}{left}"] = 0
        if SWAYED in call.spied:
            seen.note("powers_swayed", _swayed(call))
        divided_for_show = _is_divided_for_show(call, seen) if ONES in call.spied else False
        names = sorted(spies.numeric | spies.alone | _some_of(spies.loaded_again, call) | _some_calls(spies, call))
        multiplies = seen.counts.get("multiplications", 0) > 0
        seen.idle = idle(call.anew, names, multiplies, seen.outputs or [], call.again(), _halved(call))
        seen.idle += [ONES] * divided_for_show
        if BACKWARD in call.spied and are_for_show(call, seen.outputs or []):
            seen.idle.append(BACKWARD)
        seen.idle += kept_for_show(call.anew, call.spied, seen.outputs or [], call.again())
        if spies.numeric and _is_made_again(call):
            names, others = sorted(spies.numeric), call.again(with_other_numbers(call.arguments))
            given = spies.given if is_looked_into(call) else given_in(call.anew(), names, call.again())
            seen.constant = constant(names, given, call.anew, others)


def _is_divided_for_show(call: Call, seen: Observation) -> bool:
    """Note how many rows of outputs are divided, where all values are one. Whether what is returned then is the same
    when one of those that are divided first, on the way, is another.
    """
    given, altered = with_ones(call.arguments), None
    ask, others = call.again(given), Normalised()
    with contextlib.suppress(Exception):
        with Normalised() as normalised:
            outputs = ask(call.anew())
        with others:
            call.again(with_other_scores(given))(call.anew())
        seen.note("normalised", normalised.divided(others, given["q"][..., 0].size))
        on_the_way = len(normalised.rows) // 2
        if outputs is not None and on_the_way:
            with Normalised(call.chance().randrange(on_the_way)):
                altered = ask(call.anew())
            return altered is not None and not differs(outputs, altered)
    return False


def _left_behind(call: Call) -> int:
    """Bytes that the function keeps after one more call, with other numbers, and did not after the one that counts, as
    of what it returned. What it keeps of sizes alone is there after the first; what keeps nothing by then is not called
    again.
    """
    before = held_by(call.function, is_learners).arrays
    if not before:
        return 0
    with contextlib.suppress(Exception):
        call.again(with_other_numbers(call.arguments))(call.function)
    return max(0, held_by(call.function, is_learners).arrays - before)


def _swayed(call: Call) -> int:
    """How many exponentials of a query come out otherwise where one key scores far above all others that it sees, one
    of those that may come last, whichever leaves most as they are.
    """
    arguments = in_whole_tiles(call.arguments)
    most, are_all_seen = _swayed_in(call, arguments)
    if not are_all_seen and "tile_m" in arguments:  # a mask that nobody takes off: each tile has its own last key
        most, _ = _swayed_in(call, of_the_last_tile(arguments))
    return most


def _swayed_in(call: Call, arguments: dict[str, Any]) -> tuple[int, bool]:
    """That number, and whether each of these keys is seen by every query."""
    values, outputs = _exponentials(call, with_a_key_lifted(arguments, None))
    found, are_all_seen = [], True
    for at in ends(arguments):
        others, lifted = _exponentials(call, with_a_key_lifted(arguments, at))
        differ = (lifted != outputs).any(axis=-1) if lifted.shape == outputs.shape else np.ones(1, bool)
        found.append(-(-int(np.isin(others, values, invert=True).sum()) // max(1, int(differ.sum()))))
        are_all_seen &= bool(differ.all())
    return min(found), are_all_seen


def _exponentials(call: Call, arguments: dict[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    """What exponentials come out as in a call, and the first of its outputs, 0 if there is none."""
    outputs = None
    with Exponentials() as exponentials, contextlib.suppress(Exception):
        outputs = call.again(arguments)(call.anew())
    return exponentials.values, np.atleast_1d(outputs[0] if outputs else 0)


def _halved(call: Call) -> Again | None:
    """The call with one factor of each product of tensor cores halved, None where not all are left to them."""
    factors = [name for name in call.arguments if FACTOR + name in call.spied]
    halved = {name: (call.arguments[name] * 0.5).astype(call.arguments[name].dtype) for name in factors}
    return call.again(call.arguments | halved) if factors else None


def _some_calls(spies: Spies, call: Call) -> set[str]:
    """The last call, and another one, of each function of which it is known what it has to take: there each counts.
    The first of what stores, if others follow that read it.
    """
    found = {one_of(name, 1) for name in STORING if name in spies.numeric and spies.called[name] > 1}
    for name in sorted(spies.numeric):
        if name + TOOK in call.spied:
            calls = spies.called[name]
            found |= {one_of(name, calls), one_of(name, call.chance().randrange(calls) + 1)}
    return found


def _some_of(loaded: Sequence[Sequence[str]], call: Call) -> set[str]:
    """Two loads of each tensor: one that is for show is found as likely as such are frequent, case by case."""
    if not loaded:  # chance comes from all that the arguments hold, which takes long where that is much
        return set()
    chance = call.chance()
    return {name for names in loaded for name in chance.sample(names, min(2, len(names)))}
