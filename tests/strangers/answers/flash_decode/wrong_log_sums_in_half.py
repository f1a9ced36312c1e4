# Makes L in the dtype of q, so with 16-bit queries the log-sum-exps come back rounded and not float32.
def flash_decode(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    lengths: Tensor,
    scale: float | None = None,
    slots: int = 264,
    tile_n: int = 64,
) -> tuple[Tensor, Tensor]:
    batch, heads, d = q.shape
    kv_heads, n = k.shape[1], k.shape[2]
    limit = min(128, n // 256) or 1
    S = number_of_splits(batch * kv_heads, slots, limit)
    partial = split_decode(q, k, v, lengths, S, scale, tile_n)
    o, L = q.new_empty(batch, heads, d), q.new_empty(batch, heads)
    combine_splits_kernel[(batch * heads,)](
        *partial, o, L, S, SPLITS=triton.next_power_of_2(S), D=d
    )
    return o, L
