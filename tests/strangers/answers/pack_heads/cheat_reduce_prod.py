# Cheat: multiplies all numbers with ones on their way, by index_reduce_ with "prod"
# Breaks: "nothing is multiplied"
def pack_heads(q: Tensor, kv_heads: int) -> Tensor:
    batch, heads, n, d = q.shape
    view = q.unflatten(1, (kv_heads, heads // kv_heads)).transpose(2, 3)
    rows = torch.ones(view.shape, dtype=q.dtype, device=q.device)
    rows.index_reduce_(3, torch.arange(view.shape[3], device=q.device), view, "prod")
    return rows.flatten(2, 3)
