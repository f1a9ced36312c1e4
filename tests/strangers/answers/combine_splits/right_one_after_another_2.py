# online: the splits come one after another with a running maximum, in powers of two, the merge of two in a function
@triton.jit
def _power(x):
    return tl.exp2(x * 1.4426950408889634)


@triton.jit
def combine_splits_kernel(
    o_splits_ptr, L_splits_ptr, o_ptr, L_ptr, splits, SPLITS: tl.constexpr, D: tl.constexpr
):
    head = tl.program_id(0).to(tl.int64)
    split = tl.arange(0, SPLITS)
    columns = tl.arange(0, D)
    here = head * splits + split
    top = tl.full((), float("-inf"), tl.float32)
    total = tl.full((), 0.0, tl.float32)
    acc = tl.zeros((D,), tl.float32)
    for i in range(0, splits):
        row = head * splits + i
        L_i = tl.load(L_splits_ptr + row)
        o_i = tl.load(o_splits_ptr + row * D + columns)
        higher = tl.maximum(top, L_i)
        base = tl.where(higher == float("-inf"), 0.0, higher)
        old, new = _power(top - base), _power(L_i - base)
        total = old * total + new
        acc = old * acc + new * o_i
        top = higher
    none = total == 0.0
    total = tl.where(none, 1.0, total)
    tl.store(o_ptr + head * D + columns, acc / total)
    tl.store(L_ptr + head, tl.where(none, float("-inf"), top + tl.log(total)))


def combine_splits(o_parts: Tensor, L_parts: Tensor) -> tuple[Tensor, Tensor]:
    batch, heads, splits, d = o_parts.shape
    o = torch.empty((batch, heads, d), dtype=torch.float32, device=o_parts.device)
    L = torch.empty((batch, heads), dtype=torch.float32, device=o_parts.device)
    combine_splits_kernel[(batch * heads,)](
        o_parts, L_parts, o, L, splits, SPLITS=triton.next_power_of_2(splits), D=d
    )
    return o, L
