# Counts B * H programs instead of B * H_kv, so grouped heads get too few splits; values are right, the number of splits is not (g > 1 and a long cache).
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
    s = number_of_splits(batch * heads, slots, min(128, max(1, n // 256)))
    op, Lp = split_decode(q, k, v, lengths, s, scale, tile_n)
    o = torch.zeros((batch, heads, d), dtype=q.dtype, device=q.device)
    L = torch.zeros((batch, heads), dtype=torch.float32, device=q.device)
    combine_splits_kernel[(batch * heads,)](op, Lp, o, L, s, SPLITS=triton.next_power_of_2(s), D=d)
    return o, L
