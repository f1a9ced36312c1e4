# keys and values are copied for each query head where queries are as many
def grouped_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    """Attention of H query heads with H_kv heads of keys and values, which are not copied.

    q: (B, H, N_q, d), k, v: (B, H_kv, N_k, d) float32; H_kv divides H. H_kv = H is multi-head,
    H_kv = 1 multi-query attention. Query head h takes the KV head floor(h / g), g = H / H_kv.
    causal: query i sees keys j <= i + N_k - N_q.
    scale: factor of the scores, of any sign or 0; 1/sqrt(d) if None.
    Returns o (B, H, N_q, d), same dtype; a query that sees no key gives zeros.
    Memory: the output and a few copies of the scores of all heads; nothing of the size of k
    and v.

        S_h = scale * q_h k_{h // g}^T        o_h = softmax(S_h) v_{h // g}

    Shazeer (2019), Ainslie et al. (2023).
    """
    heads, kv_heads, n_q, n_k = q.shape[1], k.shape[1], q.shape[2], k.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = torch.empty(q.shape, dtype=q.dtype)
    query, key = torch.arange(n_q)[:, None], torch.arange(n_k)
    group = heads // kv_heads
    if n_q >= n_k:
        k, v = (x.repeat_interleave(group, dim=1) for x in (k, v))
        group = 1
    for h in range(heads):
        kv = h // group
        s = scale * (q[:, h] @ k[:, kv].transpose(1, 2))
        if causal:
            s = s.masked_fill(key > query + n_k - n_q, -torch.inf)
        p = torch.softmax(s, dim=-1)
        p = p.masked_fill(torch.isneginf(s), 0)  # the softmax of a row of -inf is NaN
        o[:, h] = p @ v[:, kv]
    return o

