# all query heads of a KV head as rows of one product, per sequence, with a hand-made base-2 softmax in place
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
    o.zero_()
    hidden = None
    if causal:
        hidden = torch.arange(n_k) > torch.arange(n_q)[:, None] + n_k - n_q
    if n_q and n_k:
        for b in range(q.shape[0]):
            for kv in range(kv_heads):
                mine = slice(kv * g, (kv + 1) * g)
                s = q[b, mine].reshape(g * n_q, -1) @ k[b, kv].T
                s.mul_(scale * 1.4426950408889634)
                if hidden is not None:
                    s.view(g, n_q, n_k).masked_fill_(hidden, -torch.inf)
                top = s.amax(dim=1, keepdim=True)
                top[top == -torch.inf] = 0.0
                s.sub_(top).exp2_()
                total = s.sum(dim=1, keepdim=True)
                total[total == 0] = 1.0
                o[b, mine] = (s @ v[b, kv]).div_(total).view(g, n_q, -1)
    return o
