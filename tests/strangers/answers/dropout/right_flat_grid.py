# One flat grid of programs, counters broadcast to whole tiles by hand.
@triton.jit
def keep_tile(seed, offset, head, rows, start, threshold, TILE_N: tl.constexpr):
    quarter = tl.arange(0, TILE_N // 4)
    zero = rows[:, None] * 0 + quarter[None, :] * 0
    groups = start // 4 + quarter[None, :] + zero
    lines = rows[:, None] + zero
    w0, w1, w2, w3 = tl.philox(seed, groups, lines, zero + head, zero + offset)
    # Each w is (TILE_M, TILE_N / 4); joined twice, the four of a group stand side by side.
    words = tl.join(tl.join(w0, w2), tl.join(w1, w3)).reshape((rows.shape[0], TILE_N))
    return words >= tl.cast(threshold, tl.uint32)


@triton.jit
def dropout_kernel(
    x_ptr, y_ptr, n_q, n_k, tiles_q, tiles_k, threshold, rescale, seed, offset,
    TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    pid = tl.program_id(0)
    start = (pid % tiles_k) * TILE_N
    rest = pid // tiles_k
    rows = (rest % tiles_q) * TILE_M + tl.arange(0, TILE_M)
    head = rest // tiles_q
    columns = start + tl.arange(0, TILE_N)
    inside = (rows[:, None] < n_q) & (columns[None, :] < n_k)
    first = head.to(tl.int64) * n_q * n_k
    here = first + rows[:, None].to(tl.int64) * n_k + columns[None, :]
    x = tl.load(x_ptr + here, mask=inside, other=0).to(tl.float32)
    keep = keep_tile(seed, offset, head, rows, start, threshold, TILE_N)
    y = tl.where(keep, x * rescale, 0.0)
    tl.store(y_ptr + here, y.to(y_ptr.dtype.element_ty), mask=inside)


def dropout(
    x: Tensor, dropout_p: float, seed: int, offset: int, tile_m: int = 32, tile_n: int = 128
) -> Tensor:
    heads, n_q, n_k = x.shape
    x = x.contiguous()
    y = torch.empty_like(x)
    tiles_q, tiles_k = triton.cdiv(n_q, tile_m), triton.cdiv(n_k, tile_n)
    dropout_kernel[(tiles_q * tiles_k * heads,)](
        x, y, n_q, n_k, tiles_q, tiles_k, int(dropout_p * 2**32), 1 / (1 - dropout_p),
        seed, offset, TILE_M=tile_m, TILE_N=tile_n,
    )  # fmt: skip
    return y
