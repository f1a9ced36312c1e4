# Wrong: allocates o with empty_like(q), which keeps the strides of a transposed q, while the kernel writes rows one behind the other; right for contiguous q only.
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
    limit = max(1, min(128, n // 256))
    s = number_of_splits(batch * kv_heads, slots, limit)
    o_splits, L_splits = split_decode(q, k, v, lengths, s, scale, tile_n)
    o = torch.empty_like(q)
    L = torch.empty((batch, heads), dtype=torch.float32, device=q.device)
    combine_splits_kernel[(batch * heads,)](
        o_splits, L_splits, o, L, s, SPLITS=triton.next_power_of_2(s), D=d
    )
    return o, L
