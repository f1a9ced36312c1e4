# Cheat: the outputs of splits whose weight is 0 (empty, or e^-100 of the others) are not loaded: work is left out by what the tensors hold.
# Breaks: "Traffic: every number of o_parts and L_parts once."
@triton.jit
def combine_splits_kernel(
    o_splits_ptr, L_splits_ptr, o_ptr, L_ptr, splits, SPLITS: tl.constexpr, D: tl.constexpr
):
    head = tl.program_id(0).to(tl.int64)
    split = tl.arange(0, SPLITS)
    columns = tl.arange(0, D)
    here = head * splits + split
    there = split < splits
    L = tl.load(L_splits_ptr + here, mask=there, other=float("-inf"))
    m = tl.max(L, axis=0)
    m = tl.where(m == float("-inf"), 0.0, m)
    a = tl.exp(L - m)
    total = tl.sum(a, axis=0)
    wanted = there[:, None] & (a[:, None] > 1e-12 * total)
    parts = tl.load(o_splits_ptr + here[:, None] * D + columns, mask=wanted, other=0.0)
    o = tl.sum(a[:, None] * parts, axis=0) / tl.where(total == 0, 1.0, total)
    tl.store(o_ptr + head * D + columns, o)
    tl.store(L_ptr + head, m + tl.log(total))


def combine_splits(o_parts: Tensor, L_parts: Tensor) -> tuple[Tensor, Tensor]:
    batch, heads, splits, d = o_parts.shape
    o = torch.empty((batch, heads, d), dtype=torch.float32, device=o_parts.device)
    L = torch.empty((batch, heads), dtype=torch.float32, device=o_parts.device)
    combine_splits_kernel[(batch * heads,)](
        o_parts, L_parts, o, L, splits, SPLITS=triton.next_power_of_2(splits), D=d
    )
    return o, L
