# Right: tl.philox from the library and tl.interleave instead of tl.join, in a helper; the rest is the starter
import torch
import triton
import triton.language as tl
from torch import Tensor

device = "cuda" if torch.cuda.is_available() else "cpu"


@triton.jit
def keep_tile(seed, offset, head, rows, start, threshold, TILE_N: tl.constexpr):
    """The keep mask of one tile of a head's matrix: (rows, start .. start + TILE_N - 1)."""
    groups = start // 4 + tl.arange(0, TILE_N // 4)
    zero = (rows[:, None] * 0 + groups[None, :] * 0).to(tl.uint32)
    c0 = zero + groups[None, :].to(tl.uint32)
    c1 = zero + rows[:, None].to(tl.uint32)
    c2 = zero + tl.cast(head, tl.uint32)
    c3 = zero + tl.cast(offset, tl.uint32)
    w0, w1, w2, w3 = tl.philox(seed, c0, c1, c2, c3)
    words = tl.interleave(tl.interleave(w0, w2), tl.interleave(w1, w3))
    return words >= tl.cast(threshold, tl.uint32)


@triton.jit
def dropout_kernel(
    x_ptr, y_ptr, n_q, n_k, threshold, rescale, seed, offset,
    TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    """One program: one tile of one head's matrix."""
    rows = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    start = tl.program_id(1) * TILE_N
    head = tl.program_id(2)
    columns = start + tl.arange(0, TILE_N)
    inside = (rows[:, None] < n_q) & (columns < n_k)
    here = (head.to(tl.int64) * n_q + rows[:, None]) * n_k + columns
    x = tl.load(x_ptr + here, mask=inside).to(tl.float32)
    keep = keep_tile(seed, offset, head, rows, start, threshold, TILE_N)
    tl.store(y_ptr + here, tl.where(keep, rescale * x, 0.0), mask=inside)


def dropout(
    x: Tensor, dropout_p: float, seed: int, offset: int, tile_m: int = 32, tile_n: int = 128
) -> Tensor:
    """Dropout of one matrix per head; the mask depends on seed, offset and position alone."""
    heads, n_q, n_k = x.shape
    x = x.contiguous()
    y = torch.empty_like(x)
    threshold, rescale = int(dropout_p * 2**32), 1 / (1 - dropout_p)
    grid = (triton.cdiv(n_q, tile_m), triton.cdiv(n_k, tile_n), heads)
    dropout_kernel[grid](
        x, y, n_q, n_k, threshold, rescale, seed, offset, TILE_M=tile_m, TILE_N=tile_n
    )
    return y
