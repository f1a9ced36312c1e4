# The tile's places without a split are at -1e9, which outweighs splits that lie lower.
@triton.jit
def combine_splits_kernel(
    o_parts_ptr, L_parts_ptr, o_ptr, L_ptr, splits, PARTS: tl.constexpr, D: tl.constexpr
):
    head = tl.program_id(0).to(tl.int64)
    parts = tl.arange(0, PARTS)
    columns = tl.arange(0, D)
    here = head * splits + parts
    there = parts < splits
    L = tl.load(L_parts_ptr + here, mask=there, other=-1e9)
    o = tl.load(o_parts_ptr + here[:, None] * D + columns, mask=there[:, None], other=0)
    m = tl.max(L, axis=0)
    a = tl.exp(L - tl.where(m == float("-inf"), 0.0, m))
    total = tl.sum(a, axis=0)
    safe = tl.where(total == 0, 1.0, total)
    tl.store(o_ptr + head * D + columns, tl.sum(a[:, None] * o, axis=0) / safe)
    tl.store(L_ptr + head, m + tl.log(safe))


def combine_splits(o_parts: Tensor, L_parts: Tensor) -> tuple[Tensor, Tensor]:
    batch, heads, splits, d = o_parts.shape
    o = torch.empty((batch, heads, d), dtype=torch.float32, device=o_parts.device)
    L = torch.empty((batch, heads), dtype=torch.float32, device=o_parts.device)
    combine_splits_kernel[(batch * heads,)](
        o_parts, L_parts, o, L, splits, PARTS=triton.next_power_of_2(splits), D=d
    )
    return o, L
