# Wrong: loads L of the padding slots as 0 (weight e^(0 - m)), so they count in the sum; right for S a power of two, wrong L and too small o for S = 3, 5, 6, ...
@triton.jit
def combine_splits_kernel(
    o_splits_ptr, L_splits_ptr, o_ptr, L_ptr, splits, SPLITS: tl.constexpr, D: tl.constexpr
):
    head = tl.program_id(0).to(tl.int64)
    split = tl.arange(0, SPLITS)
    columns = tl.arange(0, D)
    here = head * splits + split
    valid = split < splits
    lse = tl.load(L_splits_ptr + here, mask=valid, other=0.0)
    acc = tl.load(o_splits_ptr + here[:, None] * D + columns[None, :], mask=valid[:, None], other=0.0)
    lse_max = tl.max(lse, axis=0)
    lse_max = tl.where(lse_max == float("-inf"), 0.0, lse_max)
    w = tl.exp(lse - lse_max)
    w_sum = tl.sum(w, axis=0)
    out = tl.sum(acc * w[:, None], axis=0) / tl.where(w_sum == 0.0, 1.0, w_sum)
    tl.store(o_ptr + head * D + columns, out)
    tl.store(L_ptr + head, tl.where(w_sum > 0.0, lse_max + tl.log(w_sum), float("-inf")))


def combine_splits(o_parts: Tensor, L_parts: Tensor) -> tuple[Tensor, Tensor]:
    batch, heads, splits, d = o_parts.shape
    o = torch.empty((batch, heads, d), dtype=torch.float32, device=o_parts.device)
    L = torch.empty((batch, heads), dtype=torch.float32, device=o_parts.device)
    combine_splits_kernel[(batch * heads,)](
        o_parts, L_parts, o, L, splits, SPLITS=triton.next_power_of_2(splits), D=d
    )
    return o, L
