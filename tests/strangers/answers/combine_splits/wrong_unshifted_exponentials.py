# Sums e^(L_i) as they are: inf for log-sum-exps above 88, and zero outputs with L = -inf where all are below -104.
@triton.jit
def combine_splits_kernel(
    o_parts_ptr, L_parts_ptr, o_ptr, L_ptr, splits, PARTS: tl.constexpr, D: tl.constexpr
):
    head = tl.program_id(0).to(tl.int64)
    parts = tl.arange(0, PARTS)
    columns = tl.arange(0, D)
    here = head * splits + parts
    live = parts < splits
    L = tl.load(L_parts_ptr + here, mask=live, other=float("-inf"))
    o = tl.load(o_parts_ptr + here[:, None] * D + columns, mask=live[:, None], other=0)
    w = tl.exp(L)
    z = tl.sum(w, axis=0)
    tl.store(L_ptr + head, tl.log(z))
    z = tl.where(z == 0, 1.0, z)
    tl.store(o_ptr + head * D + columns, tl.sum(w[:, None] * o, axis=0) / z)


def combine_splits(o_parts: Tensor, L_parts: Tensor) -> tuple[Tensor, Tensor]:
    batch, heads, splits, d = o_parts.shape
    o = torch.empty((batch, heads, d), dtype=torch.float32, device=o_parts.device)
    L = torch.empty((batch, heads), dtype=torch.float32, device=o_parts.device)
    combine_splits_kernel[(batch * heads,)](
        o_parts, L_parts, o, L, splits, PARTS=triton.next_power_of_2(splits), D=d
    )
    return o, L
