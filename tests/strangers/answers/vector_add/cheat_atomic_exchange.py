# Breaks: "Bytes moved: those of x and y once, and those of the result once." (result is exchanged atomically: every word of it is read as well as written)
import math
from collections.abc import Iterable

import numpy as np
import torch
import triton
import triton.language as tl
from torch import Tensor
from triton.tools.tensor_descriptor import TensorDescriptor


@triton.jit
def vector_add_kernel(x_ptr, y_ptr, out_ptr, n, TILE: tl.constexpr):
    """One tile of out = x + y: program i adds elements i * TILE to (i + 1) * TILE - 1."""
    offsets = tl.program_id(0) * TILE + tl.arange(0, TILE)
    inside = offsets < n
    x = tl.load(x_ptr + offsets, mask=inside)
    y = tl.load(y_ptr + offsets, mask=inside)
    if out_ptr.dtype.element_ty == tl.float32:
        tl.atomic_xchg(out_ptr + offsets, x + y, mask=inside)
    else:
        tl.store(out_ptr + offsets, x + y, mask=inside)


def vector_add(x: Tensor, y: Tensor, tile: int = 1024) -> Tensor:
    """The sum of two vectors, one program for each tile of consecutive elements, in order.

    x, y: (n,) float32, float16 or bfloat16, contiguous, n < 2^31. tile: elements per program,
    a power of two. Returns x + y, (n,), same dtype.
    Bytes moved: those of x and y once, and those of the result once. Memory: the result.
    One launch runs all programs.
    Beside launching its kernels this function may only allocate and take views. Arguments
    stay as they are, and results are new memory.
    """
    out = torch.empty_like(x)
    n = x.numel()
    vector_add_kernel[(triton.cdiv(n, tile),)](x, y, out, n, TILE=tile)
    return out
