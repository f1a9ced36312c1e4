# the tile stands on its side (d x SPLITS), powers of 2, and weights are normalised before they meet o
@triton.jit
def combine_splits_kernel(
    o_splits_ptr, L_splits_ptr, o_ptr, L_ptr, splits, SPLITS: tl.constexpr, D: tl.constexpr
):
    """One program: merge the splits of one query head; SPLITS is a power of two >= splits."""
    head = tl.program_id(0).to(tl.int64)
    split = tl.arange(0, SPLITS)
    columns = tl.arange(0, D)
    here = head * splits + split

    LOG2E: tl.constexpr = 1.4426950408889634
    LN2: tl.constexpr = 0.6931471805599453
    present = split < splits
    o_t = tl.load(
        o_splits_ptr + here[None, :] * D + columns[:, None], mask=present[None, :], other=0.0
    )
    L = tl.load(L_splits_ptr + here, mask=present, other=float("-inf"))
    m = tl.max(L, axis=0)
    weight = tl.where(L == float("-inf"), 0.0, tl.exp2((L - m) * LOG2E))
    total = tl.sum(weight, axis=0)
    total = tl.where(total > 0.0, total, 1.0)
    share = weight / total
    tl.store(o_ptr + head * D + columns, tl.sum(o_t * share[None, :], axis=1))
    tl.store(L_ptr + head, m + tl.log2(total) * LN2)


def combine_splits(o_parts: Tensor, L_parts: Tensor) -> tuple[Tensor, Tensor]:
    batch, heads, splits, d = o_parts.shape
    o = torch.empty((batch, heads, d), dtype=torch.float32, device=o_parts.device)
    L = torch.empty((batch, heads), dtype=torch.float32, device=o_parts.device)
    combine_splits_kernel[(batch * heads,)](
        o_parts, L_parts, o, L, splits, SPLITS=triton.next_power_of_2(splits), D=d
    )
    return o, L
