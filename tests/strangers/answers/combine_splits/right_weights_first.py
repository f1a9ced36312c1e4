# Turns the log-sum-exps to base 2, normalises the weights before the sum over the tile.
@triton.jit
def combine_splits_kernel(
    o_splits_ptr, L_splits_ptr, o_ptr, L_ptr, splits, SPLITS: tl.constexpr, D: tl.constexpr
):
    head = tl.program_id(0).to(tl.int64)
    split = tl.arange(0, SPLITS)
    columns = tl.arange(0, D)
    here = head * splits + split
    valid = split < splits
    L2 = tl.load(L_splits_ptr + here, mask=valid, other=float("-inf")) * 1.4426950408889634
    peak = tl.max(L2, axis=0)
    peak = tl.where(peak > float("-inf"), peak, 0.0)
    w = tl.exp2(L2 - peak)
    z = tl.sum(w, axis=0)
    w = w / tl.where(z > 0.0, z, 1.0)
    parts = tl.load(o_splits_ptr + here[:, None] * D + columns[None, :], mask=valid[:, None], other=0.0)
    tl.store(o_ptr + head * D + columns, tl.sum(parts * w[:, None], axis=0))
    tl.store(L_ptr + head, (peak + tl.log2(z)) * 0.6931471805599453)


def combine_splits(o_parts: Tensor, L_parts: Tensor) -> tuple[Tensor, Tensor]:
    batch, heads, splits, d = o_parts.shape
    o = torch.empty((batch, heads, d), dtype=torch.float32, device=o_parts.device)
    L = torch.empty((batch, heads), dtype=torch.float32, device=o_parts.device)
    combine_splits_kernel[(batch * heads,)](
        o_parts, L_parts, o, L, splits, SPLITS=triton.next_power_of_2(splits), D=d
    )
    return o, L
