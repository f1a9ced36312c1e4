# style: tl.philox from the library, tl.broadcast
import numpy as np
import torch
import triton
import triton.language as tl
from torch import Tensor

device = "cuda" if torch.cuda.is_available() else "cpu"


@triton.jit
def keep_tile(seed, offset, head, rows, start, threshold, TILE_N: tl.constexpr):
    """The keep mask of one tile of a head's matrix: (rows, start .. start + TILE_N - 1).

    seed, offset, head, threshold: numbers; rows: (TILE_M,) int32; start: a multiple of 4.
    Returns (TILE_M, TILE_N) bool, True where an entry is kept.
    """
    group = (start // 4 + tl.arange(0, TILE_N // 4))[None, :]
    row = rows[:, None]
    group, row = tl.broadcast(group, row)
    c0 = group.to(tl.uint32)
    c1 = row.to(tl.uint32)
    c2 = tl.zeros_like(c0) + head.to(tl.uint32)
    c3 = tl.zeros_like(c0) + tl.cast(offset, tl.uint32)
    w0, w1, w2, w3 = tl.philox(seed, c0, c1, c2, c3)
    # Each w is (TILE_M, TILE_N / 4); joined twice, the four of a group stand side by side.
    words = tl.join(tl.join(w0, w2), tl.join(w1, w3)).reshape((rows.shape[0], TILE_N))
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
    """Dropout of one matrix per head; the mask depends on seed, offset and position alone.

    x: (H, N_q, N_k), float32 or 16 bits wide, with any strides.
    dropout_p: the probability that an entry is dropped, 0 <= dropout_p < 1.
    seed: 0 <= seed < 2^63; offset: number of the call, 0 <= offset < 2^31.
    tile_m, tile_n: powers of two from 4 on; the last tile of either side is what is left.
    Returns y (H, N_q, N_k), same dtype. x is loaded once, y stored once. In one launch, one
    program for each tile of consecutive rows and columns; no load holds more than two tiles.
    Memory: y, a copy of x if it is not contiguous, and no mask.

        w_hij = word j mod 4 of Philox with counter (j div 4, i, h, offset)
                and key (seed mod 2^32, seed div 2^32), 10 rounds
        y_hij = x_hij / (1 - dropout_p) if w_hij >= floor(2^32 dropout_p), else 0

    Beside launching its kernels this function may only allocate and take views, contiguous,
    clone. Arguments stay as they are, and results are new memory.
    """
    heads, n_q, n_k = x.shape
    x = x.contiguous()
    y = torch.empty_like(x)
    threshold, rescale = int(dropout_p * 2**32), 1 / (1 - dropout_p)
    grid = (triton.cdiv(n_q, tile_m), triton.cdiv(n_k, tile_n), heads)
    dropout_kernel[grid](
        x, y, n_q, n_k, threshold, rescale, seed, offset, TILE_M=tile_m, TILE_N=tile_n
    )
    return y
