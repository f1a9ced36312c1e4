# Right: no tile of splits, a loop that merges one split after the other and keeps maximum, sum and output; each number is loaded once.
@triton.jit
def combine_splits_kernel(
    o_splits_ptr, L_splits_ptr, o_ptr, L_ptr, splits, SPLITS: tl.constexpr, D: tl.constexpr
):
    """One program: merge the splits of one query head; SPLITS is a power of two >= splits."""
    head = tl.program_id(0).to(tl.int64)
    columns = tl.arange(0, D)
    top = tl.full((), float("-inf"), tl.float32)
    total = tl.zeros((), tl.float32)
    o = tl.zeros((D,), tl.float32)
    for i in range(0, splits):
        L = tl.load(L_splits_ptr + head * splits + i)
        part = tl.load(o_splits_ptr + (head * splits + i) * D + columns)
        higher = tl.maximum(top, L)
        zero = tl.where(higher > float("-inf"), higher, 0.0)
        old, new = tl.exp(top - zero), tl.exp(L - zero)
        o = o * old + part * new
        total = total * old + new
        top = higher
    some = tl.where(total > 0, total, 1.0)
    tl.store(o_ptr + head * D + columns, o / some)
    tl.store(L_ptr + head, top + tl.log(some))


def combine_splits(o_parts: Tensor, L_parts: Tensor) -> tuple[Tensor, Tensor]:
    batch, heads, splits, d = o_parts.shape
    o = torch.empty((batch, heads, d), dtype=torch.float32, device=o_parts.device)
    L = torch.empty((batch, heads), dtype=torch.float32, device=o_parts.device)
    combine_splits_kernel[(batch * heads,)](
        o_parts, L_parts, o, L, splits, SPLITS=triton.next_power_of_2(splits), D=d
    )
    return o, L
