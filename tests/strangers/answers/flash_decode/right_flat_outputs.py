# outputs allocated flat and viewed, the limit by a chain of conditions, the power of two by bit_length, arguments as a dict
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

    if n < 512:
        most = 1
    elif n >= 128 * 256:
        most = 128
    else:
        most = n >> 8
    splits = number_of_splits(programs=batch * kv_heads, slots=slots, most=most)
    how = {"splits": splits, "scale": scale, "tile_n": tile_n}
    o_parts, L_parts = split_decode(q, k, v, lengths, **how)
    programs = batch * heads
    o = torch.empty(programs * d, dtype=q.dtype, device=q.device)
    L = torch.empty(programs, dtype=torch.float32, device=q.device)
    height = 1 << (splits - 1).bit_length()
    combine_splits_kernel[(programs,)](o_parts, L_parts, o, L, splits, SPLITS=height, D=d)
    return o.view(batch, heads, d), L.view(batch, heads)
