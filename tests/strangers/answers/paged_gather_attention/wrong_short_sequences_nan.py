# Wrong: takes the softmax over rows without any key as well, so the first queries of a sequence shorter than N_q come out NaN instead of 0 (0 < length < N_q); lengths of N_q or more, and 0, are right.
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
        if length == 0:
            continue
        token = torch.arange(length)
        block = tables[b].long()[token // block_size]
        k = k_pool[block, :, token % block_size].transpose(0, 1)  # (H_kv, length, d)
        v = v_pool[block, :, token % block_size].transpose(0, 1)
        k = k.repeat_interleave(group, dim=0)
        v = v.repeat_interleave(group, dim=0)
        attn = q[b] @ k.transpose(1, 2) * scale
        causal = torch.ones(n_q, length, dtype=torch.bool).tril(length - n_q)
        attn = attn.masked_fill(~causal, float("-inf"))
        o[b] = torch.softmax(attn, dim=-1) @ v
    return o
