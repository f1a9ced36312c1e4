# One query at a time with the keys that it sees as a slice: no mask, outer products are added to dk and dv.
def attention_gradients(q, k, v, o, L, do, causal=False, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    dq, dk, dv = torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)
    for i in range(n_q):
        seen = min(i + n_k - n_q + 1, n_k) if causal else n_k
        if seen <= 0:
            continue
        keys, query, gradient = k[:seen], q[i], do[i]
        p = torch.exp(torch.mv(keys, query) * scale - L[i])
        ds = p * torch.mv(v[:seen] - o[i], gradient) * scale
        dv[:seen].addr_(p, gradient)
        dk[:seen].addr_(ds, query)
        dq[i] = ds @ keys
    return dq, dk, dv
