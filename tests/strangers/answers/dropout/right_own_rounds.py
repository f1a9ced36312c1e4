# Own ten rounds in 64-bit integer arithmetic inside the kernel, key schedule unrolled, grid flattened to one axis.
@triton.jit
def keep_tile(seed, offset, head, rows, start, threshold, TILE_N: tl.constexpr):
    quarter: tl.constexpr = TILE_N // 4
    zeros = tl.zeros((rows.shape[0], quarter), tl.uint64)
    w0 = zeros + (start // 4 + tl.arange(0, quarter)).to(tl.uint64)[None, :]
    w1 = zeros + rows.to(tl.uint64)[:, None]
    w2 = zeros + tl.cast(head, tl.uint64)
    w3 = zeros + tl.cast(offset, tl.uint64)
    k0 = tl.cast(seed, tl.uint64) & 0xFFFFFFFF
    k1 = tl.cast(seed, tl.uint64) >> 32
    for _ in tl.static_range(10):
        up = w2 * 0xCD9E8D57
        down = w0 * 0xD2511F53
        w0 = (up >> 32) ^ w1 ^ k0
        w1 = up & 0xFFFFFFFF
        w2 = (down >> 32) ^ w3 ^ k1
        w3 = down & 0xFFFFFFFF
        k0 = (k0 + 0x9E3779B9) & 0xFFFFFFFF
        k1 = (k1 + 0xBB67AE85) & 0xFFFFFFFF
    words = tl.join(tl.join(w0, w2), tl.join(w1, w3)).reshape((rows.shape[0], TILE_N))
    return words >= tl.cast(threshold, tl.uint64)


@triton.jit
def dropout_kernel(
    x_ptr, y_ptr, n_q, n_k, threshold, rescale, seed, offset, down, across,
    TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    tile = tl.program_id(0)
    start = tile % across * TILE_N
    rows = tile // across % down * TILE_M + tl.arange(0, TILE_M)
    head = tile // across // down
    columns = start + tl.arange(0, TILE_N)
    keep = keep_tile(seed, offset, head, rows, start, threshold, TILE_N)
    inside = (rows < n_q)[:, None] & (columns < n_k)[None, :]
    at = (head.to(tl.int64) * n_q + rows[:, None]) * n_k + columns[None, :]
    # dropped entries are not even loaded
    x = tl.load(x_ptr + at, mask=inside & keep, other=0.0).to(tl.float32)
    tl.store(y_ptr + at, x * rescale, mask=inside)


def dropout(
    x: Tensor, dropout_p: float, seed: int, offset: int, tile_m: int = 32, tile_n: int = 128
) -> Tensor:
    heads, n_q, n_k = x.shape
    x = x.contiguous()
    y = torch.empty_like(x)
    down, across = triton.cdiv(n_q, tile_m), triton.cdiv(n_k, tile_n)
    dropout_kernel[(down * across * heads,)](
        x, y, n_q, n_k, int(dropout_p * 2**32), 1 / (1 - dropout_p), seed, offset, down, across,
        TILE_M=tile_m, TILE_N=tile_n,
    )  # fmt: skip
    return y
