# K and V packed flat in one message, a generator of blocks, own softmax and own merge; keeps the contract
def _blocks(k, v, lengths):
    """Every rank's (k, v), this rank's first; the next one is on its way while one is used."""
    rank, size = dist.get_rank(), dist.get_world_size()
    kv_heads, d, d_v = k.shape[0], k.shape[2], v.shape[2]
    flat = torch.cat([k.flatten(), v.flatten()])
    for step in range(size):
        here, after = lengths[(rank - step) % size], lengths[(rank - step - 1) % size]
        calls, incoming = [], None
        if step < size - 1:
            incoming = flat.new_empty(after * kv_heads * (d + d_v))
            if here > 0:
                calls.append(dist.P2POp(dist.isend, flat, (rank + 1) % size))
            if after > 0:
                calls.append(dist.P2POp(dist.irecv, incoming, (rank - 1) % size))
        requests = dist.batch_isend_irecv(calls) if calls else []
        cut = here * kv_heads * d
        yield flat[:cut].view(kv_heads, here, d), flat[cut:].view(kv_heads, here, d_v)
        for request in requests:
            request.wait()
        flat = incoming


def _block_attention(q, k, v):
    group = q.shape[0] // k.shape[0]
    x = q.unflatten(0, (k.shape[0], group)).flatten(1, 2)  # (H_kv, group N, d)
    s = (x @ k.mT) * q.shape[2] ** -0.5
    L = torch.logsumexp(s, dim=2)
    o = torch.exp(s - L[:, :, None]) @ v
    return o.reshape(q.shape[0], q.shape[1], v.shape[2]), L.reshape(q.shape[:2])


def ring_attention(
    q: Tensor, k: Tensor, v: Tensor, lengths: tuple[int, ...]
) -> tuple[Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    o, L = q.new_zeros(*q.shape[:2], v.shape[2]), q.new_full(q.shape[:2], -torch.inf)
    for k_block, v_block in _blocks(k, v, lengths):
        if k_block.shape[1] == 0 or q.shape[1] == 0:
            continue
        o_block, L_block = _block_attention(q, k_block, v_block)
        both = torch.logaddexp(L, L_block)
        o = o * torch.exp(L - both)[..., None] + o_block * torch.exp(L_block - both)[..., None]
        L = both
    return o, L
