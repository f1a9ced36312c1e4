# Wrong: weights e^L without a maximum taken off; inf / inf = NaN for log-sum-exps above 88, and 0 with L = -inf for all below about -104; tame L and empty splits are right.
@triton.jit
def combine_splits_kernel(
    o_splits_ptr, L_splits_ptr, o_ptr, L_ptr, splits, SPLITS: tl.constexpr, D: tl.constexpr
):
    head = tl.program_id(0).to(tl.int64)
    split = tl.arange(0, SPLITS)
    columns = tl.arange(0, D)
    here = head * splits + split
    used = split < splits
    lse = tl.load(L_splits_ptr + here, mask=used, other=float("-inf"))
    partial = tl.load(o_splits_ptr + here[:, None] * D + columns[None, :], mask=used[:, None], other=0.0)
    e = tl.exp(lse)
    denominator = tl.sum(e, axis=0)
    numerator = tl.sum(e[:, None] * partial, axis=0)
    empty = denominator == 0.0
    tl.store(o_ptr + head * D + columns, numerator / tl.where(empty, 1.0, denominator))
    tl.store(L_ptr + head, tl.where(empty, float("-inf"), tl.log(denominator)))


def combine_splits(o_parts: Tensor, L_parts: Tensor) -> tuple[Tensor, Tensor]:
    batch, heads, splits, d = o_parts.shape
    o = torch.empty((batch, heads, d), dtype=torch.float32, device=o_parts.device)
    L = torch.empty((batch, heads), dtype=torch.float32, device=o_parts.device)
    combine_splits_kernel[(batch * heads,)](
        o_parts, L_parts, o, L, splits, SPLITS=triton.next_power_of_2(splits), D=d
    )
    return o, L
