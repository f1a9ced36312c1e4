# right: one query at a time adds its outer products to dk and dv; a query sees a prefix of the keys, so no mask
def attention_gradients(q, k, v, o, L, do, causal=False, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    dq, dk, dv = torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)
    for i in range(n_q):
        seen = max(0, i + 1 + n_k - n_q) if causal else n_k
        if seen == 0:
            continue
        keys, values, grad = k[:seen], v[:seen], do[i]
        p = torch.exp(torch.mv(keys, q[i]) * scale - L[i])
        ds = scale * p * (torch.mv(values, grad) - torch.dot(grad, o[i]))
        dq[i] = torch.mv(keys.t(), ds)
        dk[:seen].addr_(ds, q[i])
        dv[:seen].addr_(p, grad)
    return dq, dk, dv
