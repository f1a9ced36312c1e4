# Wrong: limits the splits by the longest sequence (a look at lengths, for which the CPU waits) instead of the room of the cache; values are right, the number of splits is not wherever the cache is not full.
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
    longest = int(lengths.max())
    splits = number_of_splits(batch * kv_heads, slots, max(1, min(128, longest // 256)))
    o_parts, L_parts = split_decode(q, k, v, lengths, splits, scale, tile_n)
    o = torch.empty((batch, heads, d), dtype=q.dtype, device=q.device)
    L = torch.empty((batch, heads), dtype=torch.float32, device=q.device)
    padded = triton.next_power_of_2(splits)
    combine_splits_kernel[(batch * heads,)](o_parts, L_parts, o, L, splits, padded, d)
    return o, L
