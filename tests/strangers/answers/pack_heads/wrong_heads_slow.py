# Wrong: stacks the heads of a group below each other (head slow, position fast), so row r is position r % N_q of head r // N_q; right only for N_q = 1 or g = 1.
def pack_heads(q: Tensor, kv_heads: int) -> Tensor:
    batch, heads, n_q, d = q.shape
    g = heads // kv_heads
    rows = [torch.cat([q[:, kv * g + r] for r in range(g)], dim=1) for kv in range(kv_heads)]
    return torch.stack(rows, dim=1)
