# An empty tensor whose every g-th row is filled from one head of each group.
def pack_heads(q: Tensor, kv_heads: int) -> Tensor:
    B, H, n, d = q.shape
    g = H // kv_heads
    rows = torch.empty(B, kv_heads, n * g, d, dtype=q.dtype, device=q.device)
    for r in range(g):
        rows[:, :, r::g] = q[:, r::g]
    return rows
