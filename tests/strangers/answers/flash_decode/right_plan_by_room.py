# Right: plans from the room of the cache alone, new contiguous outputs, second kernel launched directly.
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
    at_most = min(max(n // 256, 1), 128)
    splits = number_of_splits(programs=batch * kv_heads, slots=slots, most=at_most)
    parts = split_decode(q, k, v, lengths, splits, scale=scale, tile_n=tile_n)
    o = torch.empty(batch, heads, d, dtype=q.dtype, device=q.device)
    L = torch.empty(batch, heads, dtype=torch.float32, device=q.device)
    grid = (batch * heads,)
    combine_splits_kernel[grid](
        *parts, o, L, splits, SPLITS=triton.next_power_of_2(splits), D=d
    )
    return o, L
