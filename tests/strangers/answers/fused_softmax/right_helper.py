# a helper jit function with a constexpr flag and a default argument, wrapper written anew, tuple of strides
import torch
import triton
import triton.language as tl


@triton.jit
def weights_of(x, ZERO_IF_EMPTY: tl.constexpr = True):
    m = tl.max(x, 0)
    if ZERO_IF_EMPTY:
        m = tl.where(m == float("-inf"), 0.0, m)
    e = tl.exp(x - m)
    l = tl.sum(e, 0)
    if ZERO_IF_EMPTY:
        l = tl.where(l > 0, l, 1.0)
    return e, l


@triton.jit
def soft_kernel(x_ptr, strides, y_ptr, cols, TILE: tl.constexpr, KIND: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    j = tl.arange(0, TILE)
    inside = j < cols
    x = tl.load(x_ptr + row * strides[0] + j * strides[1], mask=inside, other=float("-inf"))
    e, l = weights_of(x.to(tl.float32))
    tl.store(y_ptr + row * cols + j, (e / l).to(KIND), mask=inside)


KINDS = {torch.float32: tl.float32, torch.float16: tl.float16, torch.bfloat16: tl.bfloat16}


def fused_softmax(x):
    rows, cols = x.shape
    y = torch.empty((rows, cols), dtype=x.dtype, device=x.device)
    tile = triton.next_power_of_2(cols)
    soft_kernel[(rows,)](x, x.stride(), y, cols, TILE=tile, KIND=KINDS[x.dtype])
    return y
