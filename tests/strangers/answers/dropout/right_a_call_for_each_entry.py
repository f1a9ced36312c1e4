# no joining: every entry asks for the four words of its group and picks its own by tl.where, threshold compared as 64-bit integers; matrix walked through its own strides, no copy
@triton.jit
def _kept(seed, offset, head, rows, columns, threshold):
    w0, w1, w2, w3 = tl.philox(seed, (columns // 4)[None, :], rows[:, None], head, offset)
    which = (columns % 4)[None, :]
    w = tl.where(which == 0, w0, tl.where(which == 1, w1, tl.where(which == 2, w2, w3)))
    return w.to(tl.int64) >= threshold


@triton.jit
def keep_tile(seed, offset, head, rows, start, threshold, TILE_N: tl.constexpr):
    return _kept(seed, offset, head, rows, start + tl.arange(0, TILE_N), threshold)


@triton.jit
def dropout_kernel(
    x_ptr, y_ptr, sh, sq, sk, n_q, n_k, threshold, rescale, seed, offset,
    TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    head = tl.program_id(2)
    rows = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    start = tl.program_id(1) * TILE_N
    columns = start + tl.arange(0, TILE_N)
    inside = (rows < n_q)[:, None] & (columns < n_k)[None, :]
    h, i, j = head.to(tl.int64), rows.to(tl.int64)[:, None], columns.to(tl.int64)[None, :]
    x = tl.load(x_ptr + (h * sh + i * sq + j * sk), mask=inside, other=0.0).to(tl.float32)
    keep = keep_tile(seed, offset, head, rows, start, threshold, TILE_N)
    y = tl.where(keep, x * rescale, 0.0)
    tl.store(y_ptr + ((h * n_q + i) * n_k + j), y.to(y_ptr.dtype.element_ty), mask=inside)


def dropout(
    x: Tensor, dropout_p: float, seed: int, offset: int, tile_m: int = 32, tile_n: int = 128
) -> Tensor:
    heads, n_q, n_k = x.shape
    y = torch.empty((heads, n_q, n_k), dtype=x.dtype, device=x.device)
    grid = (triton.cdiv(n_q, tile_m), triton.cdiv(n_k, tile_n), heads)
    dropout_kernel[grid](
        x, y, *x.stride(), n_q, n_k, int(dropout_p * 2**32), 1 / (1 - dropout_p), seed, offset,
        TILE_M=tile_m, TILE_N=tile_n,
    )
    return y
