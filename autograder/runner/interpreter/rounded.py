"""What a Triton kernel computes in 16 bits or in 64, or of numbers that it has rounded to 16 itself.

Tolerances for results of 16 bits hide such sums and exponentials, so they are seen where they are made. What has been
rounded is marked: it may be stored in 16 bits, moved, compared, or be a factor in tl.dot, and all else that is computed
of it counts, and where it is stored in more bits, since from there it would be loaded as if it were whole. What loses
no bit is as good as in float32, and rounds nothing, but for inputs of 32 bits, scaled or not: those of a case may be
multiples of 1/16, of which even TF32 keeps every bit, and others are not.

Roots, sines and the error function of what was loaded are marked as well: neither softmax nor attention takes any, and
by them a number can lose its last bits. So are a number that has been squared time after time, which undoes a root, and
the logarithm of a power to which nothing was added, by which a root can be taken and undone. A number less what a
division left of it has been cut off, so what is computed of such a remainder is marked, too. Numbers that many
comparisons have chosen among others of which nothing was loaded are known to as many bits, and are marked as well; the
index of a maximum or a minimum counts as one for each halving of its lanes, and so does a comparison of one number with
as many others. Where Python asks for the truth of such comparisons, as `if` does, so often that a number is known to as
many bits, or for a whole number to which one was rounded, nothing is marked, and that counts by itself. So are pieces
of a number's bits: what whole numbers that hold them make, what fewer bits keep of them, what a comparison of them has
chosen. A rounded number may be made of a matrix product, as P is of the scores, but not of one of products: that is a
sum, and a product with it would take its mark away. What comes out of a product of rounded numbers may be scaled, added
to what came out before, and stored. It is neither summed along an axis nor a factor of another product: sums of weights
would be those of rounded ones, brought past a matrix of ones and zeros.

What is known of a number is known of the address that it leads to, of what lies there, and of what a load has instead
where its mask leaves it out. Whatever a function rounds by which numbers are folded counts at once: its result is not
seen to be made of it.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from .arithmetic import CREATES
from .precision import loses_bits, shortened

KNOWN = "known of a number"  # a set of these
ROUNDED = "it has been rounded"
CHOSEN = "chosen by comparison"  # and its number, one for each
AMONG_LANES = f"{CHOSEN} of one number with many"  # the same
BITS = "bits of a number"  # taken for an integer: what is computed of them is a number that has been rounded
REMAINDER = "it is what a division left"
LOADED = "it is made of what was loaded"
WHOLE = "it is made of what was loaded in 32 bits"
DROWNED = "it was added to a number so large that others at hand would have lost bits"
PRODUCT = "it is made of a matrix product"
TWICE = "it is made of a matrix product of one"
WEIGHED = "it is made of a matrix product of rounded numbers"
POWER = "it is a power, to which nothing was added"
SQUARED = "squared"  # and how often
RAISED = "it is made of a power"
HANDED_ON = frozenset(
    {LOADED, WHOLE, DROWNED, PRODUCT, TWICE, WEIGHED, RAISED}
)  # by whatever makes other numbers of one
LED_TO = frozenset({PRODUCT, TWICE, RAISED})  # by a product or a power
BITS_OF_16 = 8  # of a number of 16 bits, at least: fewer would show in the values
SQUARES = 6  # which lose as many of float32's 24 bits; honest kernels square a number once, if at all
NOTHING: frozenset[str] = frozenset()

OTHER = 2  # the place of what a load has where its mask leaves it out; before it are an address and the mask
LOADS = ("masked_load", "load", "descriptor_load", "descriptor_gather", "tensor_pointer_load", "atomic_")
NO_NUMBERS: tuple[str, ...] = ("masked_", "store", "descriptor_", "tensor_pointer_", "make_", "get_", "print", "assert")
NO_NUMBERS += ("assume", "advance", "barrier", "dot")
ROUNDS = ("fp_trunc", "fp_to_fp", "fp_to_si", "fp_to_ui", "floor", "ceil")
BENDS = ("sqrt", "precise_sqrt", "rsqrt", "sin", "cos", "erf")
EXPONENTIALS, LOGARITHMS, SCALES = ("exp", "exp2"), ("log", "log2"), ("fmul", "fdiv", "precise_divf", "fneg")
# By which a number stays what it is, another one is taken, or its sign changes.
MOVES: tuple[str, ...] = ("splat", "unsplat", "expand_dims", "broadcast", "trans", "reshape", "cat", "join", "split")
MOVES += ("gather", "select", "fp_ext", "si_to_fp", "ui_to_fp", "int_cast", "max", "min", "clampf", "fabs", "iabs")
MOVES += ("xor", "addptr", "int_to_ptr", "ptr_to_int")
ADDS = ("fadd", "fsub", "fma")
LARGER = 256  # times as large as a term, a sum keeps 16 bits of it; no kernel adds an input of a product to another
NARROW, WIDE = 2, 8  # bytes
Found = Callable[[int], None]
_comparison = itertools.count()
_branches = [0]  # that hang on loaded numbers, since the last load or product
_folded: list[frozenset[str]] = []  # what is known of the numbers that a function of the answer's own folds now


def find_rounded(builder: Any, reduces: Any, scans: Any, found: Found) -> None:
    """From now on `found` is told how many numbers are computed in 16 bits, or of rounded ones."""
    for name in [name for name in dir(builder) if name.startswith(CREATES)]:
        operation, original = name.removeprefix(CREATES), getattr(builder, name)
        if operation.startswith(LOADS):
            setattr(builder, name, _load(original))
        elif operation.startswith("fcmp"):
            setattr(builder, name, _comparison_of(original))
        elif operation.startswith("icmp"):
            setattr(builder, name, _comparison_of_bits(original))
        elif not operation.startswith(NO_NUMBERS):
            setattr(builder, name, _operation(original, operation, found))
    builder.create_dot = _dot(builder.create_dot, found)
    builder.create_masked_store = _store(builder.create_masked_store, 1, found)
    builder.create_atomic_rmw = _store(builder.create_atomic_rmw, 2, found)
    builder.create_atomic_cas = _store(builder.create_atomic_cas, 2, found)
    reduces.min_max, reduces.sum = _choice(reduces.min_max), _sum(reduces.sum, found)
    scans.cumsum, scans.cumprod = _sum(scans.cumsum, found), _sum(scans.cumprod, found)
    reduces.generic_reduce = _by_function(reduces.generic_reduce, found)
    scans.generic_scan = _by_function(scans.generic_scan, found)
    for fold in (reduces, scans):
        fold.to_tensor = _still_known(fold.to_tensor)


def _load(original: Any) -> Any:
    @functools.wraps(original)
    def marking(self: Any, *operands: Any, **kwargs: Any) -> Any:
        _branches[0] = 0
        known = frozenset({LOADED}).union(*map(_known_of, operands[OTHER:]))
        if not NOTHING.union(*map(_known_of, _flat(operands[:OTHER]))).isdisjoint({ROUNDED, BITS}):
            known |= {ROUNDED}  # it was looked up
        made = original(self, *operands, **kwargs)
        return _marked(made, known | _known_of(made) | _whole(known, made))

    return marking


def mark_bits(handle: Any) -> None:
    """It holds whole numbers that have been loaded and are bits of floating-point ones."""
    _marked(handle, frozenset({BITS}))


def _whole(known: frozenset[str], made: Any) -> frozenset[str]:
    """What is to be known, too, of numbers of 32 bits that have been loaded, as they are or as whole ones."""
    return frozenset({WHOLE}) if LOADED in known and _is_float(made) and not _is_narrow(made) else NOTHING


def _flat(operands: Iterable[Any]) -> Iterable[Any]:
    """Handles, and those of the offsets of a block pointer or a descriptor."""
    for operand in operands:
        offsets = getattr(operand, "offsets", operand)
        yield from offsets if isinstance(offsets, list | tuple) else [operand]


def _store(original: Any, place: int, found: Found) -> Any:
    """place: of what is stored among the operands."""

    @functools.wraps(original)
    def looking(self: Any, *operands: Any, **kwargs: Any) -> Any:
        value = operands[place]
        if ROUNDED in _known_of(value) and value.data.dtype.itemsize > NARROW:
            found(value.data.size)
        return original(self, *operands, **kwargs)

    return looking


def _comparison_of_bits(original: Any) -> Any:
    """Of whole numbers: what is chosen by it is a piece of the bits that were compared."""

    @functools.wraps(original)
    def marking(self: Any, *operands: Any) -> Any:
        return _marked(original(self, *operands), NOTHING.union(*map(_known_of, operands)) & {BITS})

    return marking


def _comparison_of(original: Any) -> Any:
    @functools.wraps(original)
    def marking(self: Any, a: Any, b: Any) -> Any:
        of_inputs = [LOADED in _known_of(operand) for operand in (a, b)]
        made, known = original(self, a, b), _one_more() if any(of_inputs) else NOTHING
        if any(of_inputs) and not all(of_inputs):
            one, others = (a, b) if of_inputs[0] else (b, a)
            known |= _halvings(_lanes_that_meet(one.data, others.data), AMONG_LANES)
        return _marked(made, known)

    return marking


def _lanes_that_meet(one: np.ndarray, others: np.ndarray) -> int:
    """With how many different numbers each of `one` is compared."""
    along = [axis for axis, n in enumerate(others.shape) if n > 1 and _varies(others, axis)]
    return math.prod(others.shape[axis] for axis in along if not _varies(one, axis))


def _varies(x: np.ndarray, axis: int) -> bool:
    return bool((x != x.take([0], axis)).any())


def _one_more() -> frozenset[str]:
    """What is known of the result of a comparison."""
    return frozenset({f"{CHOSEN} {next(_comparison)}"})


def _halvings(lanes: int, kind: str = CHOSEN) -> frozenset[str]:
    """What is known of one that was chosen among so many: as much as of comparisons that halve them."""
    return frozenset(f"{kind} {next(_comparison)}" for _ in range(min(lanes.bit_length(), BITS_OF_16) - 1))


def _chosen(known: frozenset[str], made: Any) -> frozenset[str]:
    """What is known of a result, once it is looked at how many comparisons have chosen it."""
    if not (choices := {one for one in known if one.startswith(CHOSEN)}):
        return known
    if made.data.dtype.kind == "b":  # of several comparisons one that says yes or no, of each lane
        return known - choices | ({one for one in choices if one.startswith(AMONG_LANES)} or _one_more())
    if LOADED in known:
        return known - choices
    return known - choices | {BITS} if len(choices) >= BITS_OF_16 else known


def _is_piece(operation: str, operands: tuple[Any, ...], made: Any) -> bool:
    """Whether a move has left a piece of a number's bits: in fewer bits, or chosen by a comparison of bits."""
    if operation == "select":
        is_number = _is_float(made) and any(LOADED in _known_of(operand) for operand in operands[1:])
        return BITS in _known_of(operands[0]) and not is_number
    narrower = operation == "int_cast" and made.data.dtype.itemsize < operands[0].data.dtype.itemsize
    return narrower and BITS in _known_of(operands[0])


def _operation(original: Any, operation: str, found: Found) -> Any:
    rounds, moves = operation.startswith(ROUNDS), operation.startswith(MOVES)
    bends, takes_log, scales = operation in BENDS, operation in LOGARITHMS, operation in SCALES
    adds = rounds or bends or takes_log or operation in ("bitcast", "frem")  # to what is known of its operands
    power = frozenset({POWER, RAISED}) if operation in EXPONENTIALS else NOTHING

    @functools.wraps(original)
    def marking(self: Any, *operands: Any, **kwargs: Any) -> Any:
        made = original(self, *operands, **kwargs)
        known = NOTHING
        for operand in operands:
            known = known | _known_of(operand) if known else _known_of(operand)
        takes_log_of_power = takes_log and POWER in known and LOADED in known
        if POWER in known and not (moves or scales):
            known -= {POWER}
        squares = _times_squared(known, operation, operands)
        if operation in ADDS and _are_inputs(known) and _drowns(operands, made):
            known |= {DROWNED}
        handed_on = not squares and known <= HANDED_ON | {POWER} and not adds
        if handed_on and (moves or not (_is_narrow(made) or _is_wide(made))):
            return _marked(made, known | power)
        if _is_wide(made) and LOADED in known and not moves:
            found(made.data.size)
        if operation == "select" and not any(BITS in _known_of(operand) for operand in operands[1:]):
            known -= {BITS}  # of the condition
        known = _chosen(known, made)
        if moves:
            known |= {ROUNDED} if _is_piece(operation, operands, made) else NOTHING
        elif operation == "bitcast":
            if _is_float(made):
                known = known - {BITS} | _whole(known, made)
            else:
                known |= {BITS} if _is_float(operands[0]) else NOTHING
        elif rounds:
            known |= {ROUNDED} if loses_bits(operands[0], made) or _cuts_inputs(known, operands[0], made) else NOTHING
        else:
            is_narrow = _is_narrow(made)
            exact = is_narrow and not loses_bits(original(self, *map(_widened, operands), **kwargs), made)
            if (is_narrow or ROUNDED in known) and not exact:
                found(made.data.size)
                known -= {ROUNDED, BITS}
            known |= {ROUNDED} if not known.isdisjoint({BITS, REMAINDER}) else NOTHING
            known = known | {REMAINDER} if operation == "frem" else known - {REMAINDER}
        if (bends and LOADED in known) or takes_log_of_power or squares >= SQUARES:
            known |= {ROUNDED}
        known |= power | ({f"{SQUARED} {squares}"} if squares else NOTHING)
        if not moves and made.data.dtype.kind == "b":  # a number that it chooses is whole
            known -= {ROUNDED}
        if _folded and ROUNDED in known:
            found(made.data.size)
        return _marked(made, known)

    return marking


def _cuts_inputs(known: frozenset[str], operand: Any, made: Any) -> bool:
    """Whether that rounds inputs of 32 bits, or scaled ones: others than those at hand would have lost bits."""
    return _are_inputs(known) and (_is_narrow(made) or not _is_wide(operand))


def _are_inputs(known: frozenset[str]) -> bool:
    """Whether they have 32 bits, and neither a product nor a power led to them."""
    return WHOLE in known and known.isdisjoint(LED_TO)


def _drowns(operands: tuple[Any, ...], made: Any) -> bool:
    """Whether an input is added to what is so much larger that a sum in float32 holds fewer of its bits: it is rounded
    where that is subtracted again.
    """
    with np.errstate(all="ignore"):
        terms = [operand.data for operand in operands]
        first = terms[0] * terms[1] if len(terms) > 2 else terms[0]
        drowned = [
            np.isfinite(made.data) & (term != 0) & (abs(made.data) >= abs(term) * LARGER)
            for term, given in ((first, operands[:-1]), (terms[-1], operands[-1:]))
            if any(WHOLE in _known_of(operand) for operand in given)
        ]
    return any(bool(lanes.any()) for lanes in drowned)


def _times_squared(known: frozenset[str], operation: str, operands: tuple[Any, ...]) -> int:
    """How often a product of a number and itself has been squared by now; 0 where it is none."""
    if operation not in ("fmul", "fma") or LOADED not in known:
        return 0
    a, b = (operand.data for operand in operands[:2])
    is_square = a.shape == b.shape and a.size and a.flat[0] == b.flat[0] and np.array_equal(a, b)
    before = (int(one.removeprefix(SQUARED)) for one in known if one.startswith(SQUARED))
    return 1 + max(before, default=0) if is_square and ((a != 0) & (a != 1)).any() else 0


def _dot(original: Any, found: Found) -> Any:
    """A product of rounded numbers with a factor of which nothing was loaded, such as ones, is their sum; one that
    rounds its factors to TF32 itself computes with as few bits, if they lose any or are made of inputs of 32 bits.
    Numbers to which neither a product nor a power led, such as scaled queries or values, are not to be rounded for one
    either, nor added to large ones on the way there.
    """

    @functools.wraps(original)
    def marking(self: Any, a: Any, b: Any, d: Any, *args: Any, **kwargs: Any) -> Any:
        _branches[0] = 0
        made = original(self, a, b, d, *args, **kwargs)
        of_d = _known_of(d)
        of_a, of_b = _known_of(a), _known_of(b)
        sums = any(ROUNDED in x and (TWICE in x or LOADED not in y) for x, y in ((of_a, of_b), (of_b, of_a)))
        sums |= WEIGHED in of_a | of_b
        sums |= any(not x.isdisjoint({ROUNDED, DROWNED}) and x.isdisjoint(LED_TO) for x in (of_a, of_b))
        narrow = _is_narrow(d) and loses_bits(original(self, a, b, _widened(d), *args, **kwargs), made)
        lost = shortened(made)
        short = any(lost) or (bool(lost) and WHOLE in of_a | of_b)
        if narrow or sums or short or ROUNDED in of_d or _is_wide(made):
            found(made.data.size)
        known = (of_a | of_b | of_d) & HANDED_ON | {TWICE if PRODUCT in of_a | of_b else PRODUCT}
        return _marked(made, known | {WEIGHED} if ROUNDED in of_a | of_b else known)

    return marking


def _choice(original: Any) -> Any:
    """A maximum or a minimum, with its index or without: of what was loaded an index says as much as comparisons that
    halve the lanes, but is never by itself a number that has been rounded.
    """

    @functools.wraps(original)
    def marking(self: Any, given: Any, *args: Any, **kwargs: Any) -> Any:
        made = original(self, given, *args, **kwargs)
        known = NOTHING.union(*map(_known_of, _handles(given)))
        value, *index = _handles(made)
        _marked(value, known)
        for handle in index:
            lanes = _handles(given)[0].data.size // max(1, handle.data.size)
            among = frozenset(one for one in known if one.startswith(AMONG_LANES))
            _marked(handle, _halvings(lanes) if LOADED in known else among)
        return made

    return marking


def _sum(original: Any, found: Found) -> Any:
    """A sum, or what else is made of all numbers along an axis."""

    @functools.wraps(original)
    def marking(self: Any, given: Any) -> Any:
        made = original(self, given)
        (handle,), (result,) = _handles(given), _handles(made)
        known, is_narrow = _known_of(handle), _is_narrow(handle)
        exact = is_narrow and not loses_bits(_handles(original(self, _wide(self, given)))[0], result)
        if (is_narrow or known & {ROUNDED, WEIGHED}) and not exact:
            found(handle.data.size)
            known -= {ROUNDED, WEIGHED}
        _marked(result, known - {POWER})
        return made

    return marking


def _by_function(original: Any, found: Found) -> Any:
    """One by a function of the answer's own, whose operations are seen as well, but not what they are given."""

    @functools.wraps(original)
    def marking(self: Any, given: Any) -> Any:
        if rounded := [handle for handle in _handles(given) if _known_of(handle) & {ROUNDED, WEIGHED}]:
            found(sum(handle.data.size for handle in rounded))
        known = NOTHING.union(*map(_known_of, _handles(given))) & HANDED_ON
        _folded.append(known)
        try:
            made = original(self, given)
        finally:
            _folded.pop()
        _marked(tuple(_handles(made)), known)
        return made

    return marking


def _still_known(original: Any) -> Any:
    """A part of what a function of the answer's own folds, as it is handed to that."""

    @functools.wraps(original)
    def marking(self: Any, *given: Any, **named: Any) -> Any:
        made = original(self, *given, **named)
        if _folded:
            _marked(made.handle, _folded[-1])
        return made

    return marking


def _handles(tensors: Any) -> list[Any]:
    return [x.handle for x in (tensors if isinstance(tensors, list | tuple) else (tensors,))]


def _known_of(value: Any) -> frozenset[str]:
    attributes = getattr(value, "attr", None)  # empty for many, and this is asked of every operand
    return attributes.get(KNOWN, NOTHING) if attributes else NOTHING


def _marked(made: Any, known: frozenset[str]) -> Any:
    """What an operation has made, or several."""
    for handle in made if isinstance(made, tuple) else (made,):
        if known and hasattr(handle, "attr"):
            handle.attr[KNOWN] = known
    return made


def _is_float(handle: Any) -> bool:
    return bool(handle.data.dtype.kind == "f")  # a comparison's result keeps the dtype of what is compared


def _is_narrow(handle: Any) -> bool:
    """Whether it holds floating-point numbers of 16 bits or less."""
    return hasattr(handle, "data") and _is_float(handle) and handle.data.dtype.itemsize <= NARROW


def _is_wide(handle: Any) -> bool:
    """Whether it holds floating-point numbers of 64 bits."""
    return hasattr(handle, "data") and _is_float(handle) and handle.data.dtype.itemsize == WIDE


def numbers_told(handle: Any) -> int:
    """How many rounded numbers Python knows, now that it is told what a scalar is: one, once that and the branches
    before it make it known to 16 bits.
    """
    known = _known_of(handle)
    if any(one.startswith(CHOSEN) for one in known):
        _branches[0] += 1
        return int(_branches[0] >= BITS_OF_16)
    return int(ROUNDED in known and not _is_float(handle))


def _widened(handle: Any) -> Any:
    """The same numbers in float32, if they have 16 bits."""
    import triton.language as tl

    return type(handle)(handle.data.astype(np.float32), tl.float32) if _is_narrow(handle) else handle


def _wide(fold: Any, tensor: Any) -> Any:
    import triton.language as tl

    return fold.to_tensor(tensor.handle.data.astype(np.float32), tl.float32)
