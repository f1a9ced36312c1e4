# One split after the other with a running maximum, as a loop over keys would do it; the tile of splits is not used.
@triton.jit
def combine_splits_kernel(
    o_splits_ptr, L_splits_ptr, o_ptr, L_ptr, splits, SPLITS: tl.constexpr, D: tl.constexpr
):
    head = tl.program_id(0).to(tl.int64)
    split = tl.arange(0, SPLITS)
    columns = tl.arange(0, D)
    here = head * splits + split
    at = head * splits
    m = tl.load(L_splits_ptr + at)
    l = tl.where(m == float("-inf"), 0.0, 1.0)
    acc = tl.load(o_splits_ptr + at * D + columns) * l
    for i in range(1, splits):
        L = tl.load(L_splits_ptr + at + i)
        o = tl.load(o_splits_ptr + (at + i) * D + columns)
        new = tl.maximum(m, L)
        unit = tl.where(new == float("-inf"), 0.0, new)
        old_weight, weight = tl.exp(m - unit), tl.exp(L - unit)
        acc = acc * old_weight + o * weight
        l = l * old_weight + weight
        m = new
    empty = l == 0
    l = tl.where(empty, 1.0, l)
    tl.store(o_ptr + head * D + columns, acc / l)
    tl.store(L_ptr + head, tl.where(empty, float("-inf"), m + tl.log(l)))


def combine_splits(o_parts: Tensor, L_parts: Tensor) -> tuple[Tensor, Tensor]:
    batch, heads, splits, d = o_parts.shape
    o = torch.empty((batch, heads, d), dtype=torch.float32, device=o_parts.device)
    L = torch.empty((batch, heads), dtype=torch.float32, device=o_parts.device)
    combine_splits_kernel[(batch * heads,)](
        o_parts, L_parts, o, L, splits, SPLITS=triton.next_power_of_2(splits), D=d
    )
    return o, L
