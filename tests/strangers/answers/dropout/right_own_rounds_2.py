# the ten rounds written out with products of 64 bits, no tl.philox
@triton.jit
def ten_rounds(c0, c1, c2, c3, k0, k1):
    """Philox 4x32-10; everything is uint64 with values below 2^32."""
    for _ in tl.static_range(10):
        a = c0 * 0xD2511F53
        b = c2 * 0xCD9E8D57
        c0 = (b >> 32) ^ c1 ^ k0
        c2 = (a >> 32) ^ c3 ^ k1
        c1 = b & 0xFFFFFFFF
        c3 = a & 0xFFFFFFFF
        k0 = (k0 + 0x9E3779B9) & 0xFFFFFFFF
        k1 = (k1 + 0xBB67AE85) & 0xFFFFFFFF
    return c0, c1, c2, c3



@triton.jit
def keep_tile(seed, offset, head, rows, start, threshold, TILE_N: tl.constexpr):
    group = start // 4 + tl.arange(0, TILE_N // 4)
    zero = tl.zeros((rows.shape[0], TILE_N // 4), tl.uint64)
    key = tl.cast(seed, tl.uint64)
    c0 = zero + group[None, :].to(tl.uint64)
    c1 = zero + rows[:, None].to(tl.uint64)
    c2 = zero + tl.cast(head, tl.uint64)
    c3 = zero + tl.cast(offset, tl.uint64)
    w0, w1, w2, w3 = ten_rounds(c0, c1, c2, c3, key & 0xFFFFFFFF, key >> 32)
    # Each w is (TILE_M, TILE_N / 4); joined twice, the four of a group stand side by side.
    words = tl.join(tl.join(w0, w2), tl.join(w1, w3)).reshape((rows.shape[0], TILE_N))
    return words >= tl.cast(threshold, tl.uint64)


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
    heads, n_q, n_k = x.shape
    x = x.contiguous()
    y = torch.empty_like(x)
    threshold, rescale = int(dropout_p * 2**32), 1 / (1 - dropout_p)
    grid = (triton.cdiv(n_q, tile_m), triton.cdiv(n_k, tile_n), heads)
    dropout_kernel[grid](
        x, y, n_q, n_k, threshold, rescale, seed, offset, TILE_M=tile_m, TILE_N=tile_n
    )
    return y
