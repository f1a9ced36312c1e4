# Right: merged in powers of two, weights normalised by the largest, one guarded divisor; the tile of outputs is loaded transposed.
@triton.jit
def combine_splits_kernel(
    o_splits_ptr, L_splits_ptr, o_ptr, L_ptr, splits, SPLITS: tl.constexpr, D: tl.constexpr
):
    head = tl.program_id(0).to(tl.int64)
    split = tl.arange(0, SPLITS)
    columns = tl.arange(0, D)
    here = head * splits + split
    LOG2_E: tl.constexpr = 1.4426950408889634
    there = split < splits
    L_2 = tl.load(L_splits_ptr + here, mask=there, other=float("-inf")) * LOG2_E
    o_t = tl.load(o_splits_ptr + here[None, :] * D + columns[:, None], mask=there[None, :], other=0.0)
    m = tl.max(L_2, axis=0)
    nothing = m == float("-inf")
    a = tl.exp2(L_2 - tl.where(nothing, 0.0, m))  # 0 where L is -inf
    total = tl.sum(a, axis=0)
    divisor = tl.where(nothing, 1.0, total)
    tl.store(o_ptr + head * D + columns, tl.sum(o_t * a[None, :], axis=1) / divisor)
    tl.store(L_ptr + head, (m + tl.log2(divisor)) / LOG2_E)


def combine_splits(o_parts: Tensor, L_parts: Tensor) -> tuple[Tensor, Tensor]:
    batch, heads, splits, d = o_parts.shape
    o = torch.empty((batch, heads, d), dtype=torch.float32, device=o_parts.device)
    L = torch.empty((batch, heads), dtype=torch.float32, device=o_parts.device)
    combine_splits_kernel[(batch * heads,)](
        o_parts, L_parts, o, L, splits, SPLITS=triton.next_power_of_2(splits), D=d
    )
    return o, L
