# Cheat: a program merges one half of a head's columns and the other half of its neighbour's, so two work on each head
# Breaks: "one program for each query head"
@triton.jit
def combine_splits_kernel(
    o_splits_ptr, L_splits_ptr, o_ptr, L_ptr, splits, SPLITS: tl.constexpr, D: tl.constexpr
):
    program = tl.program_id(0).to(tl.int64)
    split = tl.arange(0, SPLITS)
    columns = tl.arange(0, D)
    half = (columns < (D + 1) // 2).to(tl.int64)
    # the first half of the columns belongs to one head, the second half to the next one
    following = (program + 1) % tl.num_programs(0)
    heads = program * half + following * (1 - half)  # (D,)
    there = heads[None, :] * splits + split[:, None]  # (SPLITS, D)
    real = split[:, None] < splits
    own = tl.load(L_splits_ptr + program * splits + split, mask=split < splits, other=float("-inf"))
    other = tl.load(
        L_splits_ptr + following * splits + split, mask=split < splits, other=float("-inf")
    )
    top = tl.max(own, axis=0)
    top = tl.where(top == float("-inf"), 0.0, top)
    top_other = tl.max(other, axis=0)
    top_other = tl.where(top_other == float("-inf"), 0.0, top_other)
    weight = tl.exp(own - top)
    weight_other = tl.exp(other - top_other)
    total = tl.sum(weight, axis=0)
    total_other = tl.sum(weight_other, axis=0)
    tl.store(L_ptr + program, top + tl.log(total))
    weight = weight / tl.where(total == 0, 1.0, total)
    weight_other = weight_other / tl.where(total_other == 0, 1.0, total_other)
    weights = tl.where(half[None, :] > 0, weight[:, None], weight_other[:, None])
    o = tl.load(o_splits_ptr + there * D + columns[None, :], mask=real, other=0)
    tl.store(o_ptr + heads * D + columns, tl.sum(o * weights, axis=0))


def combine_splits(o_parts: Tensor, L_parts: Tensor) -> tuple[Tensor, Tensor]:
    batch, heads, splits, d = o_parts.shape
    o = torch.empty((batch, heads, d), dtype=torch.float32, device=o_parts.device)
    L = torch.empty((batch, heads), dtype=torch.float32, device=o_parts.device)
    combine_splits_kernel[(batch * heads,)](
        o_parts, L_parts, o, L, splits, SPLITS=triton.next_power_of_2(splits), D=d
    )
    return o, L
