# combine_splits' kernel is launched with an output of q's dtype; the workspace's contents come from split_decode as they are.
def flash_decode(
    q: Tensor, k: Tensor, v: Tensor, lengths: Tensor, scale: float | None = None, slots: int = 264, tile_n: int = 64
) -> tuple[Tensor, Tensor]:
    batch, heads, d = q.shape
    kv_heads, n = k.shape[1], k.shape[2]
    room = min(max(n // 256, 1), 128)
    s = number_of_splits(programs=batch * kv_heads, slots=slots, most=room)
    parts = split_decode(q, k, v, lengths, s, scale=scale, tile_n=tile_n)
    o = torch.empty((batch, heads, d), dtype=q.dtype, device=q.device)
    L = torch.empty((batch, heads), dtype=torch.float32, device=q.device)
    combine_splits_kernel[(batch * heads,)](*parts, o, L, s, SPLITS=triton.next_power_of_2(s), D=d)
    return o, L
