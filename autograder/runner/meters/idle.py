"""What a call made use of in name only: altered, it leaves the result as it is, or it is given no number of the call's.

Of the functions that an exercise asks for, each is altered in a call of its own, as are the products of tensor cores,
what is loaded of each tensor in main memory, and what is loaded of it more than once. Where tensor cores are to do all
products, halving theirs has to do what halving a factor of each product does.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any

import numpy as np

from .spies import ALONE, MAIN_MEMORY, ONCE_MORE, ONE_CALL, READER, STORING, Given, Spies

PRODUCTS = "mma_m16n8k16"
FACTOR = f"{PRODUCTS} of "  # before the name of an argument: one factor of a product that tensor cores are to do
BY_OTHERS = f"{PRODUCTS} and others"
ENDED = f"{PRODUCTS} without which it ends"
KEPT = "what is kept in "  # before the name of a place, one of `simt.cpu.PLACES`
BACKWARD = "backward passes"  # whether they are given other gradients: see `observe.gradients`
ONES = "outputs of values that are all one"  # whether they are counted: see `tensors.normalised`
LEFT = "what calls leave behind"  # whether it is looked at: see `observe.show`
SWAYED = "exponentials that hang on the last keys"  # whether they are counted: see `tensors.powers`
NEAR = 0.005  # as far as rounding takes two ways of halving from each other, relative to the largest number
Anew = Callable[[], Any]  # gives the function, as it is before its first call
Call = Callable[[Any], "list[np.ndarray] | None"]  # what the function returns; None if that is no answer


def idle(
    anew: Anew,
    names: Iterable[str],
    multiplies: bool,
    outputs: Sequence[np.ndarray],
    call: Call,
    halved: Call | None = None,
) -> list[str]:
    """Those of `names`, and of tensor cores if it `multiplies`, without which `outputs` is nearly the same.

    call: makes the call anew. One that raises depends on what was altered; but products are numbers, with which a
    kernel has no reason to end, and ENDED says that it does. halved: makes it with one factor of each product halved,
    where tensor cores are to do all of them; BY_OTHERS says that they do not.
    """
    names = list(names)
    one_by_one = [name for name in names if ONCE_MORE in name or ONE_CALL in name]
    found = {name for name in one_by_one if _is_idle(name, outputs, _altered(anew, name, call))}
    loads = {_whole(name) for name in one_by_one if ONCE_MORE in name}
    needed = loads - {_whole(name) for name in found}  # as one load of each shows
    found |= {
        name
        for name in names
        if name not in {*one_by_one, *needed} and _is_idle(name, outputs, _altered(anew, name, call))
    }
    of_products = [_said_of_products(anew, outputs, call, halved)] if multiplies else []
    told = [name for name in names if name in found and not (_stores_a_part(name) and _whole(name) in found)]
    return [*told, *filter(None, of_products)]


def _whole(name: str) -> str:
    """The name of all loads of what one load is of, or of the function of one call, or of one array."""
    return name.partition(ONCE_MORE)[0].partition(ONE_CALL)[0].partition(ALONE)[0]


def _stores_a_part(name: str) -> bool:
    """Whether that is one array of those that a method stores, or what it stores in one call."""
    return ALONE in name or (ONE_CALL in name and _whole(name) in STORING)


def _said_of_products(anew: Anew, outputs: Sequence[np.ndarray], call: Call, halved: Call | None) -> str:
    """What `idle` says of the products of tensor cores; "" if all is made of them."""
    again = _altered(anew, PRODUCTS, call)
    if again is None:
        return ENDED
    if _is_idle(PRODUCTS, outputs, again):
        return PRODUCTS
    return BY_OTHERS if halved and not near(again, halved(anew())) else ""


def _altered(anew: Anew, name: str, call: Call) -> list[np.ndarray] | None:
    """What a call returns in which `name` gives the function something else; None if it raises."""
    function = anew()
    with _altering(function, name), contextlib.suppress(Exception):
        return call(function)
    return None


def _is_idle(name: str, outputs: Sequence[np.ndarray], again: Sequence[np.ndarray] | None) -> bool:
    """Whether a call without what `name` gives has come to nearly the same."""
    is_a_call = ONE_CALL in name and not _stores_a_part(name)
    counts_anywhere = name == READER or name.startswith(MAIN_MEMORY) or is_a_call
    return again is not None and not (differs if counts_anywhere else depends)(outputs, again)


def _altering(function: Any, name: str) -> AbstractContextManager[Any]:
    """Within this context what `name` gives the function is something else."""
    if name == PRODUCTS:
        from simt import cpu

        return cpu.products_times(0.5)
    return Spies(function, [MAIN_MEMORY if name.startswith(f"{MAIN_MEMORY}.") else _whole(name)], altered=name)


def constant(names: Iterable[str], given: Given, anew: Anew, other: Call) -> list[str]:
    """Those of `names` that are given the same when the inputs are other numbers, but for a quarter of all of it.

    given: what each was given with the first inputs. other: makes the call with other inputs. A helper's call carries
    nothing if one of the arrays that it is given is given in a call with the first inputs too: three quarters, since a
    tree may merge its tiles with empty ones.
    """
    found = []
    for name, calls in given_in(anew(), names, other).items():
        before = {(place, digest) for arrays in given.get(name, ()) for place, digest, _ in arrays}
        sizes = [sum(size for _, _, size in arrays) for arrays in calls]
        same = [any((place, digest) in before for place, digest, _ in arrays) for arrays in calls]
        if sum(size for size, is_same in zip(sizes, same) if is_same) > 0.75 * sum(sizes):
            found.append(name)
    return found


def given_in(function: Any, names: Iterable[str], call: Call) -> Given:
    """What the helpers among the names are given in a call, made only if there are some; nothing if it raises."""
    helpers = [name for name in names if not name.startswith(MAIN_MEMORY)]
    if not helpers:
        return {}
    with Spies(function, helpers, looks=True) as spies, contextlib.suppress(Exception):
        call(function)
        return spies.given
    return {}


def differs(outputs: Sequence[np.ndarray], altered: Sequence[np.ndarray]) -> bool:
    """Whether any number is another one: what is loaded counts for some queries, and in one output perhaps; what a
    model says, in a token that follows.
    """
    alike = len(outputs) == len(altered) and all(map(np.array_equal, outputs, altered))
    return not alike


def near(outputs: Sequence[np.ndarray], others: Sequence[np.ndarray] | None) -> bool:
    """Whether the numbers are the same but for rounding; what could not be computed is taken to be."""
    for one, other in zip(outputs, others or (), strict=others is not None):
        one, other = one.astype(np.float64), other.astype(np.float64)
        most = np.abs(other[np.isfinite(other)]).max(initial=0)
        if not np.allclose(one, other, rtol=0, atol=NEAR * most, equal_nan=True):
            return False
    return True


def depends(outputs: Sequence[np.ndarray], altered: Sequence[np.ndarray]) -> bool:
    """Whether in every output of floating-point numbers three quarters of those that are not zero have changed, by more
    than rounding does.
    """
    return all(share >= 3 / 4 for share in _changed(outputs, altered))


def _changed(outputs: Sequence[np.ndarray], altered: Sequence[np.ndarray]) -> list[float]:
    """The share of numbers that have changed in each output of floating-point ones, of those that are not zero."""
    pairs = zip(outputs, altered, strict=True)
    return [_share(before, after) for before, after in pairs if before.dtype.kind not in "iub"]


def _share(before: np.ndarray, after: np.ndarray) -> float:
    if before.shape != after.shape:
        return 1
    counts = (before != 0) | (after != 0)
    changed = ~np.isclose(before[counts], after[counts], rtol=NEAR, atol=0, equal_nan=True)
    return float(changed.mean()) if changed.size else 1


def kept_for_show(anew: Anew, spied: Iterable[str], outputs: Sequence[np.ndarray], call: Call) -> list[str]:
    """Those names of what is kept, among those that are spied on, with other numbers in which no output is another in
    three quarters of its own, or several in less than a quarter, or with which the call ends: they are numbers like
    others. One output may stay, as a maximum does that the last block has.
    """
    found = []
    for name in [name for name in spied if name.startswith(KEPT)]:
        from simt import cpu

        again = None
        with cpu.altered(name.removeprefix(KEPT)), contextlib.suppress(Exception):
            again = call(anew())
        changed = sorted(_changed(outputs, again)) if again else []
        if not changed or changed[-1] < 3 / 4 or min(changed[1:], default=1) < 1 / 4:
            found.append(name)
    return found
