# softmax written out for one head at a time, in a loop over KV heads and the heads of their group; weights divided after the product
def grouped_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    """Attention of H query heads with H_kv heads of keys and values, which are not copied.

    q: (B, H, N_q, d), k, v: (B, H_kv, N_k, d) float32; H_kv divides H. H_kv = H is multi-head,
    H_kv = 1 multi-query attention. Query head h takes the KV head floor(h / g), g = H / H_kv.
    causal: query i sees keys j <= i + N_k - N_q.
    scale: factor of the scores, of any sign or 0; 1/sqrt(d) if None.
    Returns o (B, H, N_q, d), same dtype; a query that sees no key gives zeros.
    Memory: the output and the scores; nothing of the size of k and v.

        S_h = scale * q_h k_{h // g}^T        o_h = softmax(S_h) v_{h // g}

    Shazeer (2019), Ainslie et al. (2023).
    Forbidden: scaled_dot_product. It stays within torch and Python. Arguments stay as they
    are, and results are new memory.
    """
    heads, kv_heads, n_q, n_k = q.shape[1], k.shape[1], q.shape[2], k.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = torch.empty(q.shape, dtype=q.dtype)
    g = heads // kv_heads
    hidden = None
    if causal:
        hidden = torch.arange(n_k)[None, :] - torch.arange(n_q)[:, None] > n_k - n_q
    for b, (q_b, k_b, v_b) in enumerate(zip(q, k, v)):
        for kv, (keys, values) in enumerate(zip(k_b, v_b)):
            for h in range(kv * g, (kv + 1) * g):
                weights = torch.mm(q_b[h], keys.t()).mul_(scale)
                if hidden is not None:
                    weights.masked_fill_(hidden, -torch.inf)
                peak = weights.amax(dim=1, keepdim=True)
                peak = peak.masked_fill(peak == -torch.inf, 0)
                weights.sub_(peak).exp_()
                total = weights.sum(dim=1, keepdim=True)
                o[b, h] = torch.mm(weights, values) / total.masked_fill(total == 0, 1)
    return o
