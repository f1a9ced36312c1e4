# Wrong: hides keys with -1e9, so a query that sees no key (causal, N_q > N_k) gives the mean of all values in place of zeros; everything else is right.
def grouped_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    heads, kv_heads, n_q, n_k = q.shape[1], k.shape[1], q.shape[2], k.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = torch.empty(q.shape, dtype=q.dtype)
    mask = torch.ones(n_q, n_k, dtype=torch.bool).tril(diagonal=n_k - n_q)
    n_rep = heads // kv_heads
    for b in range(q.shape[0]):
        for head in range(heads):
            att = scale * (q[b, head] @ k[b, head // n_rep].transpose(0, 1))
            if causal:
                att = att.masked_fill(~mask, -1e9)
            o[b, head] = torch.softmax(att, dim=-1) @ v[b, head // n_rep]
    return o
