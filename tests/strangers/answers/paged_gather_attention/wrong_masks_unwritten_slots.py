# Gathers whole blocks and hides the slots behind the last token by -inf only: their NaN values come through as 0 * NaN when the last block is not full.
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
        used = tables[b][tables[b] >= 0].long()
        k = k_pool[used].permute(1, 0, 2, 3).flatten(1, 2).repeat_interleave(group, 0)
        v = v_pool[used].permute(1, 0, 2, 3).flatten(1, 2).repeat_interleave(group, 0)
        s = q[b] @ k.mT * scale
        j = torch.arange(k.shape[1])
        i = torch.arange(n_q)[:, None]
        s = torch.where(j <= i + length - n_q, s, -torch.inf)
        dead = torch.isinf(s).all(-1, keepdim=True)
        o[b] = torch.softmax(s, -1).masked_fill(dead, 0) @ v
    return o
