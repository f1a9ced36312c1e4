# Returns what combine_splits gives: float32 outputs for 16-bit queries.
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
    limit = min(max(n // 256, 1), 128)
    parts = split_decode(
        q, k, v, lengths, number_of_splits(batch * kv_heads, slots, limit), scale, tile_n
    )
    o, L = combine_splits(*parts)
    return o, L
