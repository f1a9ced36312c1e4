# Right: nothing is put in order; the blocks are merged one after the other with an online softmax, as a kernel would.
def _merge(state, rows, keys, values, seen, scale):
    """Maximum, sum and output so far, with one more block."""
    s = torch.einsum("hgid,hjd->hgij", rows, keys) * scale
    s = s.masked_fill(~seen, -torch.inf)
    top = s.amax(-1, keepdim=True)
    if state is not None:
        top = torch.maximum(top, state[0])
    zero = top.masked_fill(top == -torch.inf, 0.0)
    p = torch.exp(s - zero)
    total, acc = p.sum(-1, keepdim=True), torch.einsum("hgij,hjd->hgid", p, values)
    if state is not None:
        shrink = torch.exp(state[0] - zero)
        total, acc = total + shrink * state[1], acc + shrink * state[2]
    return top, total, acc


def paged_gather_attention(
    q: Tensor,
    k_pool: Tensor,
    v_pool: Tensor,
    tables: Tensor,
    lengths: Tensor,
    scale: float | None = None,
) -> Tensor:
    heads, n_q, d = q.shape[1:]
    kv_heads, block_size = k_pool.shape[1:3]
    scale = d**-0.5 if scale is None else scale
    o = torch.zeros_like(q)
    for b, length in enumerate(lengths.tolist()):
        last = torch.arange(n_q) + (length - n_q)  # of each query
        rows = q[b].unflatten(0, (kv_heads, heads // kv_heads))  # (H_kv, g, N_q, d)
        state = None
        for number, begin in enumerate(range(0, length, block_size)):
            filled = min(block_size, length - begin)
            block = tables[b, number].item()
            seen = torch.arange(begin, begin + filled) <= last[:, None]
            keys, values = k_pool[block, :, :filled], v_pool[block, :, :filled]
            state = _merge(state, rows, keys, values, seen, scale)
        if state is not None:
            _, total, acc = state
            o[b] = (acc / total.masked_fill(total == 0, 1.0)).flatten(0, 1)
    return o
