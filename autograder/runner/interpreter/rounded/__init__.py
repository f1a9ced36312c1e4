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

from typing import Any

from ..arithmetic import CREATES
from .comparisons import comparison_of, comparison_of_bits
from .folds import dot_of, extreme, fold_by_function, part_of_a_fold, sum_along
from .known import Found
from .memory import load_of, store_of
from .operations import operation_of

LOADS = ("masked_load", "load", "descriptor_load", "descriptor_gather", "tensor_pointer_load", "atomic_")
NO_NUMBERS: tuple[str, ...] = ("masked_", "store", "descriptor_", "tensor_pointer_", "make_", "get_", "print", "assert")
NO_NUMBERS += ("assume", "advance", "barrier", "dot")


def find_rounded(builder: Any, reduces: Any, scans: Any, found: Found) -> None:
    """From now on `found` is told how many numbers are computed in 16 bits, or of rounded ones."""
    for name in [name for name in dir(builder) if name.startswith(CREATES)]:
        operation, original = name.removeprefix(CREATES), getattr(builder, name)
        if operation.startswith(LOADS):
            setattr(builder, name, load_of(original))
        elif operation.startswith("fcmp"):
            setattr(builder, name, comparison_of(original))
        elif operation.startswith("icmp"):
            setattr(builder, name, comparison_of_bits(original))
        elif not operation.startswith(NO_NUMBERS):
            setattr(builder, name, operation_of(original, operation, found))
    builder.create_dot = dot_of(builder.create_dot, found)
    builder.create_masked_store = store_of(builder.create_masked_store, 1, found)
    builder.create_atomic_rmw = store_of(builder.create_atomic_rmw, 2, found)
    builder.create_atomic_cas = store_of(builder.create_atomic_cas, 2, found)
    reduces.min_max, reduces.sum = extreme(reduces.min_max), sum_along(reduces.sum, found)
    scans.cumsum, scans.cumprod = sum_along(scans.cumsum, found), sum_along(scans.cumprod, found)
    reduces.generic_reduce = fold_by_function(reduces.generic_reduce, found)
    scans.generic_scan = fold_by_function(scans.generic_scan, found)
    for fold in (reduces, scans):
        fold.to_tensor = part_of_a_fold(fold.to_tensor)
