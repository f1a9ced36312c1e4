# Asks number_of_splits for B * H programs, one per query head, so grouped caches are cut into too few splits; right for multi-head caches or room for fewer than 512 keys.
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
    grid = (batch * heads,)
    splits = number_of_splits(grid[0], slots, max(1, min(n // 256, 128)))
    o_s, L_s = split_decode(q, k, v, lengths, splits, scale, tile_n)
    o = torch.zeros(batch, heads, d, dtype=q.dtype, device=q.device)
    L = torch.zeros(batch, heads, device=q.device)
    power = triton.next_power_of_2(splits)
    combine_splits_kernel[grid](o_s, L_s, o, L, splits, SPLITS=power, D=d)
    return o, L
