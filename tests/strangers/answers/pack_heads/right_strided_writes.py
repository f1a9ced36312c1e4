# Allocates the rows and writes each query head into every g-th of them.
def pack_heads(q: Tensor, kv_heads: int) -> Tensor:
    batch, heads, n_q, d = q.shape
    g = heads // kv_heads
    rows = torch.empty(batch, kv_heads, n_q * g, d, dtype=q.dtype, device=q.device)
    for h in range(heads):
        rows[:, h // g, h % g :: g] = q[:, h]
    return rows
