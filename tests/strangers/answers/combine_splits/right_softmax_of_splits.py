# Right: normalised weights first (a softmax over the splits), then one weighted sum down the columns.
@triton.jit
def combine_splits_kernel(
    o_splits_ptr, L_splits_ptr, o_ptr, L_ptr, splits, SPLITS: tl.constexpr, D: tl.constexpr
):
    head = tl.program_id(0).to(tl.int64)
    split = tl.arange(0, SPLITS)
    columns = tl.arange(0, D)
    here = head * splits + split
    L = tl.load(L_splits_ptr + here, mask=split < splits, other=float("-inf"))
    top = tl.max(L, axis=0)
    anything = top > float("-inf")
    weight = tl.exp(L - tl.where(anything, top, 0.0))
    total = tl.where(anything, tl.sum(weight, axis=0), 1.0)
    weight = weight / total
    parts = tl.load(
        o_splits_ptr + here[:, None] * D + columns[None, :],
        mask=(split < splits)[:, None], other=0.0,
    )
    merged = tl.sum(tl.where(weight[:, None] > 0, weight[:, None] * parts, 0.0), axis=0)
    tl.store(o_ptr + head * D + columns, merged)
    tl.store(L_ptr + head, top + tl.log(total))


def combine_splits(o_parts: Tensor, L_parts: Tensor) -> tuple[Tensor, Tensor]:
    batch, heads, splits, d = o_parts.shape
    o = torch.empty((batch, heads, d), dtype=torch.float32, device=o_parts.device)
    L = torch.empty((batch, heads), dtype=torch.float32, device=o_parts.device)
    combine_splits_kernel[(batch * heads,)](
        o_parts, L_parts, o, L, splits, SPLITS=triton.next_power_of_2(splits), D=d
    )
    return o, L
