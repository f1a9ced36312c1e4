# Honest: two helper kernels, exp2 with log2(e), warnings filter, keyword arguments, grid as a lambda.
import math
import logging
import warnings

import torch
import triton
import triton.language as tl
from torch import Tensor



warnings.filterwarnings("ignore", category=UserWarning)
LOG2E = tl.constexpr(1.4426950408889634)


@triton.jit
def weights_of(x):
    peak = tl.max(x, axis=0)
    peak = tl.where(peak == float("-inf"), 0.0, peak)
    return tl.exp2((x - peak) * LOG2E)


@triton.jit
def normalised(w):
    mass = tl.sum(w, axis=0)
    return w * (1.0 / tl.where(mass == 0, 1.0, mass))


@triton.jit
def row_kernel(src, dst, row_stride, col_stride, cols, BLOCK: tl.constexpr):
    r = tl.program_id(axis=0).to(tl.int64)
    c = tl.arange(0, BLOCK)
    inside = c < cols
    x = tl.load(src + r * row_stride + c * col_stride, mask=inside, other=-float("inf"))
    y = normalised(weights_of(x.to(tl.float32)))
    tl.store(dst + r * cols + c, y.to(dst.dtype.element_ty), mask=inside)


def fused_softmax(x: Tensor) -> Tensor:
    rows, cols = x.shape
    y = torch.empty((rows, cols), dtype=x.dtype, device=x.device)
    block = max(1, triton.next_power_of_2(cols))
    grid = lambda meta: (rows,)
    row_kernel[grid](
        src=x, dst=y, row_stride=x.stride(0), col_stride=x.stride(1), cols=cols, BLOCK=block,
        num_warps=8 if block >= 4096 else 4,
    )
    return y
