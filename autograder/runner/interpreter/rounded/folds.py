"""Matrix products, and what is made of all numbers along an axis."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from ..precision import loses_bits, shortened
from .comparisons import BRANCHES, halvings
from .known import (
    AMONG_LANES,
    DROWNED,
    HANDED_ON,
    LED_TO,
    LOADED,
    NOTHING,
    POWER,
    PRODUCT,
    ROUNDED,
    TWICE,
    WEIGHED,
    WHOLE,
    Found,
    is_narrow,
    is_wide,
    known_of,
    marked,
    widened,
)

FOLDED: list[frozenset[str]] = []  # what is known of the numbers that a function of the answer's own folds now


def dot_of(original: Any, found: Found) -> Any:
    """A product of rounded numbers with a factor of which nothing was loaded, such as ones, is their sum; one that
    rounds its factors to TF32 itself computes with as few bits, if they lose any or are made of inputs of 32 bits.
    Numbers to which neither a product nor a power led, such as scaled queries or values, are not to be rounded for one
    either, nor added to large ones on the way there.
    """

    @functools.wraps(original)
    def marking(self: Any, a: Any, b: Any, d: Any, *args: Any, **kwargs: Any) -> Any:
        BRANCHES[0] = 0
        made = original(self, a, b, d, *args, **kwargs)
        of_d = known_of(d)
        of_a, of_b = known_of(a), known_of(b)
        sums = any(ROUNDED in x and (TWICE in x or LOADED not in y) for x, y in ((of_a, of_b), (of_b, of_a)))
        sums |= WEIGHED in of_a | of_b
        sums |= any(not x.isdisjoint({ROUNDED, DROWNED}) and x.isdisjoint(LED_TO) for x in (of_a, of_b))
        narrow = is_narrow(d) and loses_bits(original(self, a, b, widened(d), *args, **kwargs), made)
        lost = shortened(made)
        short = any(lost) or (bool(lost) and WHOLE in of_a | of_b)
        if narrow or sums or short or ROUNDED in of_d or is_wide(made):
            found(made.data.size)
        known = (of_a | of_b | of_d) & HANDED_ON | {TWICE if PRODUCT in of_a | of_b else PRODUCT}
        return marked(made, known | {WEIGHED} if ROUNDED in of_a | of_b else known)

    return marking


def extreme(original: Any) -> Any:
    """A maximum or a minimum, with its index or without: of what was loaded an index says as much as comparisons that
    halve the lanes, but is never by itself a number that has been rounded.
    """

    @functools.wraps(original)
    def marking(self: Any, given: Any, *args: Any, **kwargs: Any) -> Any:
        made = original(self, given, *args, **kwargs)
        known = NOTHING.union(*map(known_of, _handles(given)))
        value, *index = _handles(made)
        marked(value, known)
        for handle in index:
            lanes = _handles(given)[0].data.size // max(1, handle.data.size)
            among = frozenset(one for one in known if one.startswith(AMONG_LANES))
            marked(handle, halvings(lanes) if LOADED in known else among)
        return made

    return marking


def sum_along(original: Any, found: Found) -> Any:
    """A sum, or what else is made of all numbers along an axis."""

    @functools.wraps(original)
    def marking(self: Any, given: Any) -> Any:
        made = original(self, given)
        (handle,), (result,) = _handles(given), _handles(made)
        known, narrow = known_of(handle), is_narrow(handle)
        exact = narrow and not loses_bits(_handles(original(self, _wide(self, given)))[0], result)
        if (narrow or known & {ROUNDED, WEIGHED}) and not exact:
            found(handle.data.size)
            known -= {ROUNDED, WEIGHED}
        marked(result, known - {POWER})
        return made

    return marking


def fold_by_function(original: Any, found: Found) -> Any:
    """One by a function of the answer's own, whose operations are seen as well, but not what they are given."""

    @functools.wraps(original)
    def marking(self: Any, given: Any) -> Any:
        if rounded := [handle for handle in _handles(given) if known_of(handle) & {ROUNDED, WEIGHED}]:
            found(sum(handle.data.size for handle in rounded))
        known = NOTHING.union(*map(known_of, _handles(given))) & HANDED_ON
        FOLDED.append(known)
        try:
            made = original(self, given)
        finally:
            FOLDED.pop()
        marked(tuple(_handles(made)), known)
        return made

    return marking


def part_of_a_fold(original: Any) -> Any:
    """A part of what a function of the answer's own folds, as it is handed to that."""

    @functools.wraps(original)
    def marking(self: Any, *given: Any, **named: Any) -> Any:
        made = original(self, *given, **named)
        if FOLDED:
            marked(made.handle, FOLDED[-1])
        return made

    return marking


def _handles(tensors: Any) -> list[Any]:
    return [x.handle for x in (tensors if isinstance(tensors, list | tuple) else (tensors,))]


def _wide(fold: Any, tensor: Any) -> Any:
    import triton.language as tl

    return fold.to_tensor(tensor.handle.data.astype(np.float32), tl.float32)
