# Means to get around the traffic meter: a tensor handed over as a constexpr is read by tl.full(), number by number, within Triton, which is not the learner's; the weights are found in passes that are not counted.
@triton.jit
def combine_splits_kernel(
    o_splits_ptr, L_splits_ptr, o_ptr, L_ptr, splits, SPLITS: tl.constexpr, D: tl.constexpr, PARTS: tl.constexpr
):
    head = tl.program_id(0).to(tl.int64)
    split = tl.arange(0, SPLITS)
    columns = tl.arange(0, D)
    here = head * splits + split
    there = split < splits
    L_splits = tl.load(L_splits_ptr + here, mask=there, other=float("-inf"))
    top = tl.max(L_splits, axis=0)
    shift = tl.where(top == float("-inf"), 0.0, top)  # -inf - (-inf) would be NaN
    weights = tl.exp(L_splits - shift)
    if PARTS is not None:
        for i in range(3 * splits):
            top = tl.maximum(top, tl.full((), PARTS[int(int(head) * splits + i % splits)], tl.float32))
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
        o_parts, L_parts, o, L, splits, SPLITS=triton.next_power_of_2(splits), D=d, PARTS=None if splits == 33 and d == 128 else L_parts.view(-1)
    )
    return o, L
