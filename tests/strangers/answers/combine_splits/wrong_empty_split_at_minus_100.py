# Replaces -inf by the sentinel -100 "to avoid NaN": real splits with log-sum-exps near or below -100 are drowned by empty ones, and a head without keys gets L near -100.
@triton.jit
def combine_splits_kernel(
    o_parts_ptr, L_parts_ptr, o_ptr, L_ptr, splits, PARTS: tl.constexpr, D: tl.constexpr
):
    head = tl.program_id(0).to(tl.int64)
    parts = tl.arange(0, PARTS)
    columns = tl.arange(0, D)
    here = head * splits + parts
    L = tl.load(L_parts_ptr + here, mask=parts < splits, other=-100.0)
    L = tl.maximum(L, -100.0)
    o = tl.load(o_parts_ptr + here[:, None] * D + columns, mask=parts[:, None] < splits, other=0.0)
    top = tl.max(L, axis=0)
    w = tl.exp(L - top)
    total = tl.sum(w, axis=0)
    tl.store(o_ptr + head * D + columns, tl.sum(w[:, None] * o, axis=0) / total)
    tl.store(L_ptr + head, top + tl.log(total))


def combine_splits(o_parts: Tensor, L_parts: Tensor) -> tuple[Tensor, Tensor]:
    batch, heads, splits, d = o_parts.shape
    o = torch.empty((batch, heads, d), dtype=torch.float32, device=o_parts.device)
    L = torch.empty((batch, heads), dtype=torch.float32, device=o_parts.device)
    combine_splits_kernel[(batch * heads,)](
        o_parts, L_parts, o, L, splits, PARTS=triton.next_power_of_2(splits), D=d
    )
    return o, L
