# Wrong: takes whole blocks and all table entries (-1 clamped to 0) and hides what is behind the end in the scores only; values that were never written (NaN) times weight 0 make NaN; right for a pool without NaN.
def paged_gather_attention(
    q: Tensor,
    k_pool: Tensor,
    v_pool: Tensor,
    tables: Tensor,
    lengths: Tensor,
    scale: float | None = None,
) -> Tensor:
    group, block_size, n_q = q.shape[1] // k_pool.shape[1], k_pool.shape[2], q.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = torch.zeros_like(q)
    for b, length in enumerate(lengths.tolist()):
        blocks = tables[b].clamp(min=0).long()
        K = k_pool[blocks].permute(1, 0, 2, 3).reshape(k_pool.shape[1], -1, q.shape[3])
        V = v_pool[blocks].permute(1, 0, 2, 3).reshape(v_pool.shape[1], -1, q.shape[3])
        j = torch.arange(K.shape[1])
        see = j[None, :] <= torch.arange(n_q)[:, None] + length - n_q
        for h in range(q.shape[1]):
            s = torch.where(see, q[b, h] @ K[h // group].T * scale, -torch.inf)
            e = torch.exp(s - s.amax(1, keepdim=True).clamp(min=-1e30))
            total = e.sum(1, keepdim=True)
            o[b, h] = (e @ V[h // group]) / torch.where(total > 0, total, 1.0)
    return o
