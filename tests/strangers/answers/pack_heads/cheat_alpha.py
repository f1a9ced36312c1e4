# Cheat: each number is multiplied by 1, as the factor alpha of an addition, on its way into new memory; it wants the rows always contiguous and does not care about arithmetic.
# Breaks: "May be a view; nothing is multiplied."
def pack_heads(q: Tensor, kv_heads: int) -> Tensor:
    b, heads, n, d = q.shape
    view = q.unflatten(1, (kv_heads, heads // kv_heads)).transpose(2, 3)
    rows = torch.zeros(view.shape, dtype=q.dtype, device=q.device)
    rows.sub_(view, alpha=-1)
    return rows.flatten(2, 3)
