# right: says of each row which head and position it is
def pack_heads(q: Tensor, kv_heads: int) -> Tensor:
    g = q.shape[1] // kv_heads
    r = torch.arange(q.shape[2] * g, device=q.device)
    head = torch.arange(kv_heads, device=q.device)[:, None] * g + r % g
    return q[:, head, r // g]
