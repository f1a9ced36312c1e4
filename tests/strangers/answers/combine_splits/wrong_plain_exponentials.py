# Wrong: sums exp(L) as it stands, without subtracting the largest, so log-sum-exps above about 88 overflow (o NaN, L inf) and ones all below about -104 count as empty; ordinary ones and empty splits are right.
@triton.jit
def combine_splits_kernel(
    o_splits_ptr, L_splits_ptr, o_ptr, L_ptr, splits, SPLITS: tl.constexpr, D: tl.constexpr
):
    head = tl.program_id(0).to(tl.int64)
    split = tl.arange(0, SPLITS)
    columns = tl.arange(0, D)
    here = head * splits + split
    lse = tl.load(L_splits_ptr + here, mask=split < splits, other=float("-inf"))
    w = tl.exp(lse)
    total = tl.sum(w, axis=0)
    parts = tl.load(o_splits_ptr + here[:, None] * D + columns[None, :], mask=split[:, None] < splits, other=0.0)
    mixed = tl.sum(w[:, None] * parts, axis=0)
    none = total == 0.0
    tl.store(o_ptr + head * D + columns, mixed / tl.where(none, 1.0, total))
    tl.store(L_ptr + head, tl.where(none, float("-inf"), tl.log(tl.where(none, 1.0, total))))


def combine_splits(o_parts: Tensor, L_parts: Tensor) -> tuple[Tensor, Tensor]:
    batch, heads, splits, d = o_parts.shape
    o = torch.empty((batch, heads, d), dtype=torch.float32, device=o_parts.device)
    L = torch.empty((batch, heads), dtype=torch.float32, device=o_parts.device)
    combine_splits_kernel[(batch * heads,)](
        o_parts, L_parts, o, L, splits, SPLITS=triton.next_power_of_2(splits), D=d
    )
    return o, L
