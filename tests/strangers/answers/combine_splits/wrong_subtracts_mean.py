# Subtracts the mean of the finite log-sum-exps instead of their maximum, which overflows where one split stands more than 88 above the mean.
@triton.jit
def combine_splits_kernel(
    o_splits_ptr, L_splits_ptr, o_ptr, L_ptr, splits, SPLITS: tl.constexpr, D: tl.constexpr
):
    head = tl.program_id(0).to(tl.int64)
    split = tl.arange(0, SPLITS)
    columns = tl.arange(0, D)
    here = head * splits + split
    inside = split < splits
    L = tl.load(L_splits_ptr + here, mask=inside, other=float("-inf"))
    finite = L > float("-inf")
    count = tl.sum(finite.to(tl.float32), axis=0)
    centre = tl.sum(tl.where(finite, L, 0.0), axis=0) / tl.maximum(count, 1.0)
    a = tl.where(finite, tl.exp(L - centre), 0.0)
    total = tl.sum(a, axis=0)
    o = tl.load(o_splits_ptr + here[:, None] * D + columns, mask=inside[:, None], other=0.0)
    o = tl.sum(o * a[:, None], axis=0)
    tl.store(o_ptr + head * D + columns, tl.where(total > 0, o / total, 0.0))
    tl.store(L_ptr + head, tl.where(total > 0, centre + tl.log(total), float("-inf")))


def combine_splits(o_parts: Tensor, L_parts: Tensor) -> tuple[Tensor, Tensor]:
    batch, heads, splits, d = o_parts.shape
    o = torch.empty((batch, heads, d), dtype=torch.float32, device=o_parts.device)
    L = torch.empty((batch, heads), dtype=torch.float32, device=o_parts.device)
    combine_splits_kernel[(batch * heads,)](
        o_parts, L_parts, o, L, splits, SPLITS=triton.next_power_of_2(splits), D=d
    )
    return o, L
