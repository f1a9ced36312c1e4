# A loop over the splits with a running maximum, one row of o at a time; the tile of parts is not used.
@triton.jit
def combine_splits_kernel(
    o_parts_ptr, L_parts_ptr, o_ptr, L_ptr, splits, PARTS: tl.constexpr, D: tl.constexpr
):
    head = tl.program_id(0).to(tl.int64)
    parts = tl.arange(0, PARTS)
    columns = tl.arange(0, D)
    here = head * splits + parts
    m = tl.full((1,), float("-inf"), tl.float32)
    total = tl.zeros((1,), tl.float32)
    acc = tl.zeros((D,), tl.float32)
    one = tl.arange(0, 1)
    for i in range(splits):
        at = head * splits + i
        L = tl.load(L_parts_ptr + at + one)
        row = tl.load(o_parts_ptr + at * D + columns)
        top = tl.maximum(m, L)
        base = tl.where(top == float("-inf"), 0.0, top)
        old, new = tl.exp(m - base), tl.exp(L - base)
        acc = acc * old + new * row
        total = total * old + new
        m = top
    some = total > 0
    divisor = tl.where(some, total, 1.0)
    tl.store(o_ptr + head * D + columns, acc / divisor)
    tl.store(L_ptr + head + one, tl.where(some, m + tl.log(divisor), float("-inf")))


def combine_splits(o_parts: Tensor, L_parts: Tensor) -> tuple[Tensor, Tensor]:
    batch, heads, splits, d = o_parts.shape
    o = torch.empty((batch, heads, d), dtype=torch.float32, device=o_parts.device)
    L = torch.empty((batch, heads), dtype=torch.float32, device=o_parts.device)
    combine_splits_kernel[(batch * heads,)](
        o_parts, L_parts, o, L, splits, PARTS=triton.next_power_of_2(splits), D=d
    )
    return o, L
