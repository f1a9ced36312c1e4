# The scale is handed on where there is one split, and forgotten where there are several.
@triton.jit
def cast_kernel(from_ptr, to_ptr, n, TILE: tl.constexpr):
    i = tl.program_id(0) * TILE + tl.arange(0, TILE)
    tl.store(to_ptr + i, tl.load(from_ptr + i, mask=i < n), mask=i < n)


@triton.jit
def merge_kernel(o_parts_ptr, L_parts_ptr, o_ptr, L_ptr, splits, SPLITS: tl.constexpr, D: tl.constexpr):
    head = tl.program_id(0)
    split = tl.arange(0, SPLITS)
    L = tl.load(L_parts_ptr + head * splits + split, mask=split < splits, other=float("-inf"))
    at = (head * splits + split)[:, None] * D + tl.arange(0, D)
    o = tl.load(o_parts_ptr + at, mask=split[:, None] < splits, other=0.0)
    top = tl.max(L, axis=0)
    safe = tl.where(top == float("-inf"), 0.0, top)
    w = tl.exp(L - safe)
    total = tl.sum(w, axis=0)
    tl.store(o_ptr + head * D + tl.arange(0, D), tl.sum(w[:, None] * o, axis=0) / tl.where(total == 0, 1.0, total))
    tl.store(L_ptr + head, safe + tl.log(total))


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
    most = max(1, min(128, n // 256))
    splits = number_of_splits(batch * kv_heads, slots, most)
    o_parts, L_parts = split_decode(q, k, v, lengths, splits, scale if splits == 1 else None, tile_n)
    o = torch.empty((batch, heads, d), dtype=q.dtype, device=q.device)
    if splits == 1:
        cast_kernel[(triton.cdiv(o.numel(), 1024),)](o_parts, o, o.numel(), TILE=1024)
        return o, L_parts[:, :, 0]
    L = torch.empty((batch, heads), dtype=torch.float32, device=q.device)
    merge_kernel[(batch * heads,)](
        o_parts, L_parts, o, L, splits, SPLITS=triton.next_power_of_2(splits), D=d
    )
    return o, L
