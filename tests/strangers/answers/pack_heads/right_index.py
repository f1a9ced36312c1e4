# the docstring's formula as an index: row r of KV head kv is q[:, kv g + r % g, r // g]; right
def pack_heads(q: Tensor, kv_heads: int) -> Tensor:
    heads, n_q = q.shape[1], q.shape[2]
    g = heads // kv_heads
    r = torch.arange(n_q * g, device=q.device)
    kv = torch.arange(kv_heads, device=q.device).unsqueeze(1)
    return q[:, kv * g + r % g, r // g]
