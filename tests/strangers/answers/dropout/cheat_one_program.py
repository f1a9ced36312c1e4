# sharing: a single program does all bands of all heads
@triton.jit
def keep_tile(seed, offset, head, rows, start, threshold, TILE_N: tl.constexpr):
    group = start // 4 + tl.arange(0, TILE_N // 4)
    zero = (rows[:, None] * 0 + group[None, :] * 0).to(tl.uint32)
    c0 = zero + group[None, :].to(tl.uint32)
    c1 = zero + rows[:, None].to(tl.uint32)
    c2 = zero + head.to(tl.uint32)
    c3 = zero + offset
    w0, w1, w2, w3 = tl.philox(seed, c0, c1, c2, c3)
    words = tl.join(tl.join(w0, w2), tl.join(w1, w3)).reshape((rows.shape[0], TILE_N))
    return words >= tl.cast(threshold, tl.uint32)


@triton.jit
def dropout_kernel(
    x_ptr, y_ptr, heads, n_q, n_k, threshold, rescale, seed, offset,
    TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):
    for band in range(0, heads * tl.cdiv(n_q, TILE_M)):
        head = tl.cast(band // tl.cdiv(n_q, TILE_M), tl.int32)
        rows = band % tl.cdiv(n_q, TILE_M) * TILE_M + tl.arange(0, TILE_M)
        for start in range(0, n_k, TILE_N):
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
    dropout_kernel[(1,)](
        x, y, heads, n_q, n_k, threshold, rescale, seed, offset, TILE_M=tile_m, TILE_N=tile_n
    )
    return y
