# self-contained: a merging kernel of its own that stores in the dtype of q
@triton.jit
def _merge_parts(o_parts, L_parts, o_ptr, L_ptr, splits, S: tl.constexpr, D: tl.constexpr):
    query = tl.program_id(0).to(tl.int64)
    part, dims = tl.arange(0, S), tl.arange(0, D)
    at = query * splits + part
    L = tl.load(L_parts + at, mask=part < splits, other=float("-inf"))
    o = tl.load(o_parts + at[:, None] * D + dims, mask=(part < splits)[:, None], other=0.0)
    top = tl.max(L, 0)
    top = tl.where(top == float("-inf"), 0.0, top)
    w = tl.exp(L - top)
    total = tl.sum(w, 0)
    merged = tl.sum(o * w[:, None], 0) / tl.where(total == 0.0, 1.0, total)
    tl.store(o_ptr + query * D + dims, merged.to(o_ptr.dtype.element_ty))
    tl.store(L_ptr + query, top + tl.log(total))


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
    most = min(128, max(1, n // 256))
    splits = number_of_splits(batch * kv_heads, slots, most)
    o_parts, L_parts = split_decode(q, k, v, lengths, splits, scale=scale, tile_n=tile_n)
    o = torch.empty((batch, heads, d), dtype=q.dtype, device=q.device)
    L = torch.empty((batch, heads), dtype=torch.float32, device=q.device)
    _merge_parts[(batch * heads,)](
        o_parts, L_parts, o, L, splits, S=triton.next_power_of_2(splits), D=d
    )
    return o, L
