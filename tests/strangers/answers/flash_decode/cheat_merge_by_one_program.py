# sharing: split_decode does the splits, but a single program merges all heads, one after another
@triton.jit
def merge_kernel(o_parts_ptr, L_parts_ptr, o_ptr, L_ptr, heads, splits, SPLITS: tl.constexpr, D: tl.constexpr):
    split = tl.arange(0, SPLITS)
    for head in range(0, heads):
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
    q: Tensor, k: Tensor, v: Tensor, lengths: Tensor, scale: float | None = None, slots: int = 264, tile_n: int = 64
) -> tuple[Tensor, Tensor]:
    batch, heads, d = q.shape
    kv_heads, n = k.shape[1], k.shape[2]
    splits = number_of_splits(batch * kv_heads, slots, max(1, min(128, n // 256)))
    o_parts, L_parts = split_decode(q, k, v, lengths, splits, scale, tile_n)
    o = torch.empty((batch, heads, d), dtype=q.dtype, device=q.device)
    L = torch.empty((batch, heads), dtype=torch.float32, device=q.device)
    merge_kernel[(1,)](o_parts, L_parts, o, L, batch * heads, splits, SPLITS=triton.next_power_of_2(splits), D=d)
    return o, L
