# Right: the head and the position of every row as index tensors, one gather.
def pack_heads(q: Tensor, kv_heads: int) -> Tensor:
    g, n_q = q.shape[1] // kv_heads, q.shape[2]
    r = torch.arange(n_q * g, device=q.device)
    head = torch.arange(kv_heads, device=q.device)[:, None] * g + r % g  # (H_kv, N_q g)
    position = (r // g).expand_as(head)
    return q[:, head, position]
