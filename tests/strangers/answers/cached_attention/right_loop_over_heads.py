# Two loops over batch and head; each head is a plain matrix product on a view of the filled slots, with a mask from positions.
def cached_attention(
    q: Tensor, k_cache: Tensor, v_cache: Tensor, length: int, scale: float | None = None
) -> Tensor:
    n, d = q.shape[2:]
    scale = d**-0.5 if scale is None else scale
    B, H = q.shape[:2]
    o = q.new_empty(B, H, n, v_cache.shape[-1])
    where = torch.arange(length - n, length, device=q.device)
    hidden = torch.arange(length, device=q.device) > where[:, None]
    for b in range(B):
        for h in range(H):
            keys, values = k_cache[b, h, :length], v_cache[b, h, :length]
            s = (q[b, h] @ keys.T).mul_(scale).masked_fill_(hidden, -torch.inf)
            o[b, h] = torch.softmax(s, dim=-1) @ values
    return o
