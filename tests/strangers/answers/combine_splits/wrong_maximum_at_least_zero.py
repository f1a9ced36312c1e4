# Pads the log-sum-exps with 0 for the maximum and masks the weights later, so with a number of splits that is no power of 2 and all L far below 0 (-150) every weight underflows and the answer is 0 and -inf.
@triton.jit
def combine_splits_kernel(
    o_splits_ptr, L_splits_ptr, o_ptr, L_ptr, splits, SPLITS: tl.constexpr, D: tl.constexpr
):
    head = tl.program_id(0).to(tl.int64)
    split = tl.arange(0, SPLITS)
    columns = tl.arange(0, D)
    here = head * splits + split
    mask = split < splits
    L = tl.load(L_splits_ptr + here, mask=mask, other=0.0)
    m = tl.max(L, axis=0)
    m = tl.where(m == float("-inf"), 0.0, m)
    a = tl.where(mask, tl.exp(L - m), 0.0)
    total = tl.sum(a, axis=0)
    o = tl.load(o_splits_ptr + here[:, None] * D + columns, mask=mask[:, None], other=0.0)
    o = tl.sum(a[:, None] * o, axis=0) / tl.where(total == 0.0, 1.0, total)
    tl.store(o_ptr + head * D + columns, o)
    tl.store(L_ptr + head, m + tl.log(total))


def combine_splits(o_parts: Tensor, L_parts: Tensor) -> tuple[Tensor, Tensor]:
    batch, heads, splits, d = o_parts.shape
    o = torch.empty((batch, heads, d), dtype=torch.float32, device=o_parts.device)
    L = torch.empty((batch, heads), dtype=torch.float32, device=o_parts.device)
    combine_splits_kernel[(batch * heads,)](
        o_parts, L_parts, o, L, splits, SPLITS=triton.next_power_of_2(splits), D=d
    )
    return o, L
