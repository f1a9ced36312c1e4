# Wrong: slots between splits and the next power of two get L = 0 instead of -inf, so each of them weighs like a split of log-sum-exp 0 with output 0 (S = 3, 5, 6, ...); powers of two are right.
@triton.jit
def combine_splits_kernel(
    o_splits_ptr, L_splits_ptr, o_ptr, L_ptr, splits, SPLITS: tl.constexpr, D: tl.constexpr
):
    head = tl.program_id(0).to(tl.int64)
    split = tl.arange(0, SPLITS)
    columns = tl.arange(0, D)
    here = head * splits + split
    ok = split < splits
    L = tl.load(L_splits_ptr + here, mask=ok, other=0.0)
    o = tl.load(o_splits_ptr + here[:, None] * D + columns, mask=ok[:, None], other=0.0)
    m = tl.max(L, axis=0)
    m_safe = tl.where(m == float("-inf"), 0.0, m)
    a = tl.exp(L - m_safe)
    s = tl.sum(a, axis=0)
    s_safe = tl.where(s == 0.0, 1.0, s)
    tl.store(o_ptr + head * D + columns, tl.sum(a[:, None] * o, axis=0) / s_safe)
    tl.store(L_ptr + head, m + tl.log(s_safe))


def combine_splits(o_parts: Tensor, L_parts: Tensor) -> tuple[Tensor, Tensor]:
    batch, heads, splits, d = o_parts.shape
    o = torch.empty((batch, heads, d), dtype=torch.float32, device=o_parts.device)
    L = torch.empty((batch, heads), dtype=torch.float32, device=o_parts.device)
    combine_splits_kernel[(batch * heads,)](
        o_parts, L_parts, o, L, splits, SPLITS=triton.next_power_of_2(splits), D=d
    )
    return o, L
