# Walks over the splits one after the other, keeping a running maximum, sum and output; no tile of splits.
@triton.jit
def combine_splits_kernel(
    o_splits_ptr, L_splits_ptr, o_ptr, L_ptr, splits, SPLITS: tl.constexpr, D: tl.constexpr
):
    head = tl.program_id(0).to(tl.int64)
    split = tl.arange(0, SPLITS)
    columns = tl.arange(0, D)
    here = head * splits + split
    top = tl.max(tl.full((SPLITS,), float("-inf"), tl.float32), 0)
    total = tl.sum(tl.zeros((SPLITS,), tl.float32), 0)
    acc = tl.zeros((D,), tl.float32)
    for i in range(0, splits):
        place = head * splits + i
        L = tl.load(L_splits_ptr + place)
        o = tl.load(o_splits_ptr + place * D + columns)
        higher = tl.maximum(top, L)
        reference = tl.where(higher == float("-inf"), 0.0, higher)
        old, new = tl.exp(top - reference), tl.exp(L - reference)
        total = total * old + new
        acc = acc * old + o * new
        top = higher
    tl.store(o_ptr + head * D + columns, acc / tl.where(total > 0, total, 1.0))
    tl.store(L_ptr + head, top + tl.log(total))


def combine_splits(o_parts: Tensor, L_parts: Tensor) -> tuple[Tensor, Tensor]:
    batch, heads, splits, d = o_parts.shape
    o = torch.empty((batch, heads, d), dtype=torch.float32, device=o_parts.device)
    L = torch.empty((batch, heads), dtype=torch.float32, device=o_parts.device)
    combine_splits_kernel[(batch * heads,)](
        o_parts, L_parts, o, L, splits, SPLITS=triton.next_power_of_2(splits), D=d
    )
    return o, L
