# Advanced indexing by the formulas of head and position for every row.
def pack_heads(q: Tensor, kv_heads: int) -> Tensor:
    g = q.shape[1] // kv_heads
    r = torch.arange(q.shape[2] * g, device=q.device)
    kv = torch.arange(kv_heads, device=q.device)[:, None]
    return q[:, kv * g + r % g, r // g]
