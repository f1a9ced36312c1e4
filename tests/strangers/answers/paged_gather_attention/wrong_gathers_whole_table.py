# Gathers the whole row of the table, where -1 wraps round to the pool's last block, and masks the scores only: NaN in the pool times weight 0 spoils the output; fine in a pool without NaN.
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
        k = k_pool[tables[b].long()].transpose(0, 1).flatten(1, 2)
        v = v_pool[tables[b].long()].transpose(0, 1).flatten(1, 2)
        k, v = k.repeat_interleave(group, 0), v.repeat_interleave(group, 0)
        position = torch.arange(n_q)[:, None] + length - n_q
        s = q[b] @ k.transpose(1, 2) * scale
        s = s.masked_fill(torch.arange(k.shape[1]) > position, -torch.inf)
        seen = (position >= 0).squeeze(1)
        o[b][:, seen] = s[:, seen].softmax(-1) @ v
    return o
