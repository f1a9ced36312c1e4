# the limit is a median of three numbers, everything handed on by name, power of two from bit_length
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
    at_most = sorted((1, n // 256, 128))[1]
    splits = number_of_splits(programs=batch * kv_heads, slots=slots, most=at_most)
    o_parts, L_parts = split_decode(
        q=q, k=k, v=v, lengths=lengths, splits=splits, scale=scale, tile_n=tile_n
    )
    o = q.new_empty((batch, heads, d))
    L = q.new_empty((batch, heads), dtype=torch.float32)
    padded = 1 << (splits - 1).bit_length()
    launch = combine_splits_kernel[(L.numel(),)]
    launch(o_parts, L_parts, o, L, splits, SPLITS=padded, D=d)
    return o, L
