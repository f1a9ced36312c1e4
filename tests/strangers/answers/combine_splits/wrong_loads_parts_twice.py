# A first loop finds the log-sum-exp, a second one loads every L again for the weights: values right, but each L_parts is loaded twice.
@triton.jit
def combine_splits_kernel(
    o_parts_ptr, L_parts_ptr, o_ptr, L_ptr, splits, PARTS: tl.constexpr, D: tl.constexpr
):
    head = tl.program_id(0).to(tl.int64)
    parts = tl.arange(0, PARTS)
    columns = tl.arange(0, D)
    here = head * splits + parts
    L = tl.load(L_parts_ptr + here, mask=parts < splits, other=float("-inf"))
    m = tl.max(L, axis=0)
    m = tl.where(m == float("-inf"), 0.0, m)
    s = tl.sum(tl.exp(L - m), axis=0)
    acc = tl.zeros((D,), tl.float32)
    for i in range(0, splits):
        w = tl.exp(tl.load(L_parts_ptr + head * splits + i) - m)
        acc += w * tl.load(o_parts_ptr + (head * splits + i) * D + columns)
    safe = tl.where(s == 0, 1.0, s)
    tl.store(o_ptr + head * D + columns, acc / safe)
    tl.store(L_ptr + head, tl.where(s == 0, float("-inf"), m + tl.log(safe)))


def combine_splits(o_parts: Tensor, L_parts: Tensor) -> tuple[Tensor, Tensor]:
    batch, heads, splits, d = o_parts.shape
    o = torch.empty((batch, heads, d), dtype=torch.float32, device=o_parts.device)
    L = torch.empty((batch, heads), dtype=torch.float32, device=o_parts.device)
    combine_splits_kernel[(batch * heads,)](
        o_parts, L_parts, o, L, splits, PARTS=triton.next_power_of_2(splits), D=d
    )
    return o, L
