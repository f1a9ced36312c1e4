# The same two kernels with keywords, the limit by clamping in the other order, new_empty for the outputs.
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
    allowed = 1 if n < 512 else 128 if n >= 128 * 256 else n // 256
    s = number_of_splits(programs=batch * kv_heads, slots=slots, most=allowed)
    partial = split_decode(q, k, v, lengths, splits=s, scale=scale, tile_n=tile_n)
    o = q.new_empty(batch, heads, d)
    L = q.new_empty(batch, heads, dtype=torch.float32)
    width = 1 << (s - 1).bit_length()
    combine_splits_kernel[(heads * batch, 1, 1)](*partial, o, L, s, width, d)
    return o, L
