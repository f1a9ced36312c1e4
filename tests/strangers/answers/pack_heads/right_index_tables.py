# two small tables, which head and which position a row is, and one lookup
def pack_heads(q: Tensor, kv_heads: int) -> Tensor:
    heads, n_q = q.shape[1:3]
    g = heads // kv_heads
    row = torch.arange(n_q * g, device=q.device)
    position = row // g
    head = torch.arange(kv_heads, device=q.device)[:, None] * g + row % g
    return q[:, head, position.expand_as(head)]
