# Right: one matrix product per sequence and head on views of the filled slots, additive -inf triangle after scaling, softmax written out in place.
def cached_attention(
    q: Tensor, k_cache: Tensor, v_cache: Tensor, length: int, scale: float | None = None
) -> Tensor:
    n, d = q.shape[2:]
    scale = d**-0.5 if scale is None else scale
    B, H = q.shape[:2]
    out = torch.empty(B, H, n, v_cache.shape[3], dtype=q.dtype, device=q.device)
    mine = torch.arange(length - n, length, device=q.device).unsqueeze(1)
    hidden = torch.arange(length, device=q.device).unsqueeze(0) > mine
    for b in range(B):
        for h in range(H):
            keys = k_cache[b, h].narrow(0, 0, length)
            values = v_cache[b, h].narrow(0, 0, length)
            w = torch.mm(q[b, h], keys.t())
            w.mul_(scale).masked_fill_(hidden, float("-inf"))
            w.sub_(w.amax(dim=1, keepdim=True)).exp_()
            w.div_(w.sum(dim=1, keepdim=True))
            out[b, h] = torch.mm(w, values)
    return out
