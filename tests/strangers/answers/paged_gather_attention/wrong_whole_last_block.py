# Wrong: gathers whole blocks and hides what is behind the length by the causal mask only, so NaN in the unused slots of the last block's values comes through (0 * NaN) whenever the length is no multiple of block_size; pools without NaN are right.
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
        n_blocks = math.ceil(length / block_size)
        ids = tables[b, :n_blocks].tolist()
        room = n_blocks * block_size
        rows = torch.arange(n_q)[:, None] + length - n_q
        visible = torch.arange(room)[None, :] <= rows
        sees = visible.any(dim=1)
        if not sees.any():
            continue
        for h in range(q.shape[1]):
            k = torch.cat([k_pool[i, h // group] for i in ids])
            v = torch.cat([v_pool[i, h // group] for i in ids])
            s = (scale * q[b, h] @ k.T).masked_fill(~visible, float("-inf"))
            o[b, h, sees] = torch.softmax(s[sees], dim=-1) @ v
    return o
