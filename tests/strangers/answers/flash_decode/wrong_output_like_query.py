# Wrong: allocates o with torch.empty_like(q), which keeps the strides of a transposed q, while the kernel writes as if o were contiguous, so the rows of o are permuted for q that is a dense non-contiguous view; contiguous q is right.
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
    splits = number_of_splits(batch * kv_heads, slots, max(1, min(128, n // 256)))
    o_parts, L_parts = split_decode(q, k, v, lengths, splits, scale, tile_n)
    o = torch.empty_like(q)
    L = torch.empty(q.shape[:2], dtype=torch.float32, device=q.device)
    combine_splits_kernel[(batch * heads,)](
        o_parts, L_parts, o, L, splits, SPLITS=triton.next_power_of_2(splits), D=d
    )
    return o, L
