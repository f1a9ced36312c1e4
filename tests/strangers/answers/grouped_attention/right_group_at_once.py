# right: all heads of a group as rows of one product, base 2, rows without a key by a factor
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
    log2e = 1.4426950408889634
    first = n_q - n_k  # queries before this one see nothing
    position = torch.arange(n_q)[:, None]
    hidden = torch.arange(n_k)[None, :] > position + n_k - n_q
    for batch in range(q.shape[0]):
        for kv in range(kv_heads):
            group = slice(kv * g, (kv + 1) * g)
            rows = q[batch, group].reshape(g * n_q, -1)
            scores = torch.mm(rows, k[batch, kv].t()).mul_(scale * log2e).view(g, n_q, n_k)
            if causal:
                scores.masked_fill_(hidden, -torch.inf)
                if first > 0:
                    scores[:, :first] = 0.0
            scores.sub_(scores.amax(-1, keepdim=True)).exp2_()
            scores.div_(scores.sum(-1, keepdim=True))
            if causal and first > 0:
                scores[:, :first] = 0.0
            o[batch, group] = torch.mm(scores.view(g * n_q, n_k), v[batch, kv]).view(g, n_q, -1)
    return o
