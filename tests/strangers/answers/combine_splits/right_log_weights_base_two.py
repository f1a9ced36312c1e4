# Converts to base 2, computes the joint log-sum-exp first and then weights 2^(L_i - L) that already sum to one.
@triton.jit
def combine_splits_kernel(
    o_parts_ptr, L_parts_ptr, o_ptr, L_ptr, splits, PARTS: tl.constexpr, D: tl.constexpr
):
    head = tl.program_id(0).to(tl.int64)
    parts = tl.arange(0, PARTS)
    columns = tl.arange(0, D)
    here = head * splits + parts
    LOG2E: tl.constexpr = 1.4426950408889634
    real = parts < splits
    L2 = tl.load(L_parts_ptr + here, mask=real, other=float("-inf")) * LOG2E
    top = tl.max(L2, axis=0)
    top = tl.where(top > float("-inf"), top, 0.0)
    mass = tl.sum(tl.exp2(L2 - top), axis=0)
    empty = mass == 0
    joint = top + tl.log2(tl.where(empty, 1.0, mass))
    weight = tl.exp2(L2 - joint)
    rows = tl.load(o_parts_ptr + here[:, None] * D + columns[None, :], mask=real[:, None], other=0.0)
    tl.store(o_ptr + head * D + columns, tl.sum(rows * weight[:, None], axis=0))
    tl.store(L_ptr + head, tl.where(empty, float("-inf"), joint * 0.6931471805599453))


def combine_splits(o_parts: Tensor, L_parts: Tensor) -> tuple[Tensor, Tensor]:
    batch, heads, splits, d = o_parts.shape
    o = torch.empty((batch, heads, d), dtype=torch.float32, device=o_parts.device)
    L = torch.empty((batch, heads), dtype=torch.float32, device=o_parts.device)
    combine_splits_kernel[(batch * heads,)](
        o_parts, L_parts, o, L, splits, PARTS=triton.next_power_of_2(splits), D=d
    )
    return o, L
