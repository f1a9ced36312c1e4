# Right: weights as exp(score - log-sum-exp), one query head at a time; a row without keys has the sum exp(-inf) = 0.
def _attend(q, k, v, scale, diagonal):
    s = torch.mul(torch.mm(q, k.t()), scale)
    if diagonal is not None:
        s.masked_fill_(torch.ones_like(s, dtype=torch.bool).triu_(diagonal + 1), -torch.inf)
    L = torch.logsumexp(s, dim=1, keepdim=True)
    L.masked_fill_(L == -torch.inf, 0.0)
    return torch.mm(s.sub_(L).exp_(), v)


def grouped_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    batch, heads, n_q, d = q.shape
    kv_heads, n_k = k.shape[1:3]
    if scale is None:
        scale = 1 / d**0.5
    o = torch.zeros(q.shape, dtype=q.dtype)
    if n_k == 0 or n_q == 0:
        return o
    group = heads // kv_heads
    for h in range(heads):
        kv, _ = divmod(h, group)
        for b in range(batch):
            o[b, h] = _attend(q[b, h], k[b, kv], v[b, kv], scale, n_k - n_q if causal else None)
    return o
