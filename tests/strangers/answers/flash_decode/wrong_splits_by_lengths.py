# Chooses the limit by the longest sequence in the batch (lengths.max().item(), which waits for the GPU) and not by the room of the cache: other number of splits wherever the cache is not full.
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
    longest = int(lengths.max().item())
    splits = number_of_splits(batch * kv_heads, slots, min(128, max(1, longest // 256)))
    o_parts, L_parts = split_decode(q, k, v, lengths, splits, scale=scale, tile_n=tile_n)
    o = torch.empty(batch, heads, d, dtype=q.dtype, device=q.device)
    L = torch.empty(batch, heads, dtype=torch.float32, device=q.device)
    parts = triton.next_power_of_2(splits)
    combine_splits_kernel[(batch * heads,)](o_parts, L_parts, o, L, splits, SPLITS=parts, D=d)
    return o, L
