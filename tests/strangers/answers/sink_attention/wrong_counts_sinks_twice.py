# Wrong: merges attention to the window and attention to the sinks by their log-sum-exps, but sinks that lie in the window too enter both parts and weigh double (queries at positions below window + sinks - 1); far queries are right.
def sink_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, sinks: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    i = torch.arange(n_q)[:, None] + n_k - n_q
    j = torch.arange(n_k)[None, :]
    S = scale * (q @ k.T)

    def part(seen):
        s = torch.where(seen, S, torch.tensor(float("-inf")))
        lse = torch.logsumexp(s, dim=1, keepdim=True)
        return torch.exp(s - lse) @ v, lse

    o_near, L_near = part((j <= i) & (i - j < window))
    if sinks == 0:
        return o_near
    o_sink, L_sink = part((j <= i) & (j < sinks))
    L = torch.logaddexp(L_near, L_sink)
    return o_near * torch.exp(L_near - L) + o_sink * torch.exp(L_sink - L)
