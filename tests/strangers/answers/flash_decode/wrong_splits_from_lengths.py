# Wrong: limits the splits by the longest sequence actually there (lengths.max(), which also waits for the GPU) and not by the room of the cache, so with half-filled caches there are fewer splits than the contract says; values are right, and full caches too.
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
    longest = int(lengths.max()) if batch else 0
    most = max(1, min(128, longest // 256))
    splits = number_of_splits(batch * kv_heads, slots, most)
    parts = split_decode(q, k, v, lengths, splits, scale, tile_n)
    o = torch.empty(q.shape, dtype=q.dtype, device=q.device)
    L = torch.empty((batch, heads), dtype=torch.float32, device=q.device)
    combine_splits_kernel[(batch * heads,)](
        *parts, o, L, splits, SPLITS=triton.next_power_of_2(splits), D=d
    )
    return o, L
