# right: an online softmax over the splits, one after the other, no tile of splits
@triton.jit
def combine_splits_kernel(
    o_splits_ptr, L_splits_ptr, o_ptr, L_ptr, splits, SPLITS: tl.constexpr, D: tl.constexpr
):
    """One program: merge the splits of one query head; SPLITS is a power of two >= splits."""
    head = tl.program_id(0).to(tl.int64)
    columns = tl.arange(0, D)
    at = head * splits
    m = tl.load(L_splits_ptr + at)
    acc = tl.load(o_splits_ptr + at * D + columns)
    l = tl.where(m == float("-inf"), 0.0, 1.0)
    for i in range(1, splits):
        L_i = tl.load(L_splits_ptr + at + i)
        o_i = tl.load(o_splits_ptr + (at + i) * D + columns)
        top = tl.maximum(m, L_i)
        anchor = tl.where(top == float("-inf"), 0.0, top)
        old, new = tl.exp(m - anchor), tl.exp(L_i - anchor)
        acc = acc * old + o_i * new
        l = l * old + new
        m = top
    tl.store(o_ptr + head * D + columns, acc / tl.where(l == 0, 1.0, l))
    tl.store(L_ptr + head, m + tl.log(l))


def combine_splits(o_parts: Tensor, L_parts: Tensor) -> tuple[Tensor, Tensor]:
    """Attention with all keys, from the results of each split of them.

    o_parts: (B, H, S, d), L_parts: (B, H, S) float32, contiguous, as `split_decode` returns
    them; d: a power of two; S: up to 128. An empty split has o = 0 and L = -inf.
    Returns o (B, H, d) and L (B, H), float32; a query without any key gives 0 and -inf.
    Traffic: every number of o_parts and L_parts once. One program for each query head. Memory:
    o and L.

        L = log sum_s e^(L_s)        o = sum_s e^(L_s - L) o_s

    Beside launching its kernels this function may only allocate and take views. Arguments
    stay as they are, and results are new memory.
    """
    batch, heads, splits, d = o_parts.shape
    o = torch.empty((batch, heads, d), dtype=torch.float32, device=o_parts.device)
    L = torch.empty((batch, heads), dtype=torch.float32, device=o_parts.device)
    combine_splits_kernel[(batch * heads,)](
        o_parts, L_parts, o, L, splits, SPLITS=triton.next_power_of_2(splits), D=d
    )
    return o, L
