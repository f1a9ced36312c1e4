# Right: one call of Philox for each entry and tl.where for its word, as in the plainest port; lambda grid.
import torch
import triton
import triton.language as tl


@triton.jit
def word_of(seed, offset, head, rows, columns):
    """Word (column mod 4) of the group of each entry, a tile of uint32."""
    group = columns[None, :] // 4 + 0 * rows[:, None]
    row = rows[:, None] + 0 * columns[None, :]
    w0, w1, w2, w3 = tl.philox(seed, group, row, head, offset)
    which = columns[None, :] % 4
    low = tl.where(which == 0, w0, w1)
    high = tl.where(which == 2, w2, w3)
    return tl.where(which < 2, low, high)


@triton.jit
def dropout_kernel(
    x_ptr, y_ptr, n_q, n_k, threshold, rescale, seed, offset,
    TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    rows = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    columns = tl.program_id(1) * TILE_N + tl.arange(0, TILE_N)
    head = tl.program_id(2)
    here = (head.to(tl.int64) * n_q + rows[:, None]) * n_k + columns[None, :]
    inside = (rows < n_q)[:, None] & (columns < n_k)[None, :]
    x = tl.load(x_ptr + here, mask=inside, other=0.0).to(tl.float32)
    keep = word_of(seed, offset, head, rows, columns) >= tl.cast(threshold, tl.uint32)
    tl.store(y_ptr + here, tl.where(keep, x * rescale, 0.0), mask=inside)


def dropout(x, dropout_p, seed, offset, tile_m=32, tile_n=128):
    heads, n_q, n_k = x.shape
    x = x.contiguous()
    y = torch.empty_like(x)
    threshold = int(dropout_p * 2**32)
    grid = lambda meta: (triton.cdiv(n_q, meta["TILE_M"]), triton.cdiv(n_k, meta["TILE_N"]), heads)
    dropout_kernel[grid](
        x, y, n_q, n_k, threshold, 1 / (1 - dropout_p), seed, offset, TILE_M=tile_m, TILE_N=tile_n
    )
    return y
