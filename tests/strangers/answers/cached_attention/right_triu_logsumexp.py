# Batched products on narrowed views, upper triangle set to -inf by triu with diagonal length - n + 1, normalised by the log-sum-exp.
def cached_attention(
    q: Tensor, k_cache: Tensor, v_cache: Tensor, length: int, scale: float | None = None
) -> Tensor:
    n, d = q.shape[2:]
    scale = d**-0.5 if scale is None else scale
    k = k_cache.narrow(2, 0, length)
    v = v_cache.narrow(2, 0, length)
    s = torch.matmul(q, k.mT) * scale
    future = torch.ones(n, length, dtype=torch.bool, device=q.device).triu(length - n + 1)
    s.masked_fill_(future, float("-inf"))
    s -= torch.logsumexp(s, dim=-1, keepdim=True)
    return s.exp_() @ v
