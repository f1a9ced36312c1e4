# Two passes over the log-sum-exps, one for L and one for the weights, each loading them again: right numbers, but the traffic allows every number of L_parts once.
@triton.jit
def combine_splits_kernel(
    o_splits_ptr, L_splits_ptr, o_ptr, L_ptr, splits, SPLITS: tl.constexpr, D: tl.constexpr
):
    head = tl.program_id(0).to(tl.int64)
    split = tl.arange(0, SPLITS)
    columns = tl.arange(0, D)
    here = head * splits + split
    m = -float("inf")
    for i in range(splits):
        m = tl.maximum(m, tl.load(L_splits_ptr + head * splits + i))
    m = tl.where(m == -float("inf"), 0.0, m)
    there = split < splits
    a = tl.exp(tl.load(L_splits_ptr + here, mask=there, other=-float("inf")) - m)
    total = tl.sum(a, 0)
    o = tl.load(o_splits_ptr + here[:, None] * D + columns, mask=there[:, None], other=0)
    tl.store(o_ptr + head * D + columns, tl.sum(o * a[:, None], 0) / tl.where(total == 0, 1, total))
    tl.store(L_ptr + head, m + tl.log(total))


def combine_splits(o_parts: Tensor, L_parts: Tensor) -> tuple[Tensor, Tensor]:
    batch, heads, splits, d = o_parts.shape
    o = torch.empty((batch, heads, d), dtype=torch.float32, device=o_parts.device)
    L = torch.empty((batch, heads), dtype=torch.float32, device=o_parts.device)
    combine_splits_kernel[(batch * heads,)](
        o_parts, L_parts, o, L, splits, SPLITS=triton.next_power_of_2(splits), D=d
    )
    return o, L
