# Computes for every row the head and position it comes from and picks with two index tensors.
def pack_heads(q: Tensor, kv_heads: int) -> Tensor:
    batch, heads, n_q, d = q.shape
    g = heads // kv_heads
    r = torch.arange(n_q * g, device=q.device)
    head = torch.arange(kv_heads, device=q.device)[:, None] * g + r % g
    return q[:, head, (r // g).expand(kv_heads, -1)]
