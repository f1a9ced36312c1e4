# Clamps length - N_q at 0, so in a sequence with fewer tokens than queries query i sees keys up to i and no query is left without a key.
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
        n_blocks = (length + block_size - 1) // block_size
        ids = tables[b, :n_blocks].long()
        context = max(0, length - n_q)
        mask = torch.ones(n_q, length, dtype=torch.bool).tril(context)
        for h in range(q.shape[1]):
            k = k_pool[ids, h // group].flatten(0, 1)[:length]
            v = v_pool[ids, h // group].flatten(0, 1)[:length]
            scores = (q[b, h] @ k.T).mul(scale)
            o[b, h] = torch.softmax(scores.where(mask, torch.tensor(-torch.inf)), -1) @ v
    return o
