# Right: the limit is the middle one of 1, the whole 256 keys, and 128; a helper launches the merge.
def _merge(o_parts, L_parts, dtype):
    """combine_splits with an output of any dtype."""
    *rows, splits, d = o_parts.shape
    o = o_parts.new_empty(*rows, d, dtype=dtype)
    L = o_parts.new_empty(rows)
    combine_splits_kernel[(math.prod(rows),)](
        o_parts, L_parts, o, L, splits, SPLITS=triton.next_power_of_2(splits), D=d
    )
    return o, L


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
    _, most, _ = sorted((1, n // 256, 128))
    splits = number_of_splits(batch * kv_heads, slots, most)
    return _merge(*split_decode(q, k, v, lengths, splits, scale, tile_n), dtype=q.dtype)
