# sharing: the first program of each head does the work of all, and the others of its grid return at once
@triton.jit
def combine_splits_kernel(
    o_splits_ptr, L_splits_ptr, o_ptr, L_ptr, splits, SPLITS: tl.constexpr, D: tl.constexpr
):
    if tl.program_id(0) == 0:
        for unit in range(0, tl.num_programs(0)):
            head = (tl.program_id(0).to(tl.int64) + unit)
            split = tl.arange(0, SPLITS)
            columns = tl.arange(0, D)
            here = head * splits + split
            there = split < splits
            L_splits = tl.load(L_splits_ptr + here, mask=there, other=float("-inf"))
            top = tl.max(L_splits, axis=0)
            shift = tl.where(top == float("-inf"), 0.0, top)  # -inf - (-inf) would be NaN
            weights = tl.exp(L_splits - shift)
            total = tl.sum(weights, axis=0)
            total = tl.where(total == 0, 1.0, total)
            o_splits = tl.load(
                o_splits_ptr + here[:, None] * D + columns, mask=there[:, None], other=0
            )  # fmt: skip
            o = tl.sum(weights[:, None] * o_splits, axis=0) / total
            tl.store(o_ptr + head * D + columns, o)
            tl.store(L_ptr + head, top + tl.log(total))


def combine_splits(o_parts: Tensor, L_parts: Tensor) -> tuple[Tensor, Tensor]:
    batch, heads, splits, d = o_parts.shape
    o = torch.empty((batch, heads, d), dtype=torch.float32, device=o_parts.device)
    L = torch.empty((batch, heads), dtype=torch.float32, device=o_parts.device)
    combine_splits_kernel[(batch * heads,)](
        o_parts, L_parts, o, L, splits, SPLITS=triton.next_power_of_2(splits), D=d
    )
    return o, L
