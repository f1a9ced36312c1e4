# tl.exp of differences to the largest, and a weighted sum by broadcasting
@triton.jit
def combine_splits_kernel(
    o_splits_ptr, L_splits_ptr, o_ptr, L_ptr, splits, SPLITS: tl.constexpr, D: tl.constexpr
):
    query = tl.program_id(0).to(tl.int64)
    part = tl.arange(0, SPLITS)
    dims = tl.arange(0, D)
    exists = part < splits
    at = query * splits + part
    L_parts = tl.load(L_splits_ptr + at, mask=exists, other=float("-inf"))
    o_parts = tl.load(
        o_splits_ptr + at[:, None] * D + dims[None, :], mask=exists[:, None], other=0.0
    )
    top = tl.max(L_parts, axis=0)
    top = tl.where(top == float("-inf"), 0.0, top)
    weights = tl.exp(L_parts - top)
    total = tl.sum(weights, axis=0)
    mixed = tl.sum(weights[:, None] * o_parts, axis=0) / tl.where(total == 0.0, 1.0, total)
    tl.store(o_ptr + query * D + dims, mixed)
    tl.store(L_ptr + query, top + tl.log(total))


def combine_splits(o_parts: Tensor, L_parts: Tensor) -> tuple[Tensor, Tensor]:
    batch, heads, splits, d = o_parts.shape
    o = torch.empty((batch, heads, d), dtype=torch.float32, device=o_parts.device)
    L = torch.empty((batch, heads), dtype=torch.float32, device=o_parts.device)
    combine_splits_kernel[(batch * heads,)](
        o_parts, L_parts, o, L, splits, SPLITS=triton.next_power_of_2(splits), D=d
    )
    return o, L
