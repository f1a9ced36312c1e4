# attends over the whole room of the cache under a mask, whatever is in it; values right, time is not: shows for a prompt of 8 in room for 512 tokens: 512 scores per head in each step
def _padded(q: Tensor, k: Tensor, v: Tensor, n: Tensor) -> tuple[Tensor, Tensor]:
    """Attention over (B, H_kv, C, d), of which n rows count; 0 and -inf where n is 0."""
    batch, heads, d = q.shape
    there = torch.arange(k.shape[2], device=q.device) < n[:, None]
    v = torch.where(there[:, None, :, None], v, 0)
    s = q.view(batch, k.shape[1], -1, d) @ k.mT * d**-0.5
    s = s.masked_fill(~there[:, None, None, :], -torch.inf)
    L = s.logsumexp(-1)
    p = (s - L.masked_fill(L == -torch.inf, 0)[..., None]).exp()
    return (p @ v).reshape(batch, heads, -1), L.reshape(batch, heads)


def decode_tokens(
    q: Tensor, k: Tensor, v: Tensor, k_new: Tensor, v_new: Tensor, lengths: Tensor
) -> Tensor:
    """T steps of decoding: in each, every sequence gets one token, on the rank that owns it."""
    rank, size = dist.get_rank(), dist.get_world_size()
    k, v = k.clone(), v.clone()  # yours to write to
    outputs = []
    for t in range(len(q)):
        count = lengths + t + 1
        for b, last in enumerate((count - 1).tolist()):
            if last % size == rank:
                k[b, :, last // size], v[b, :, last // size] = k_new[t, b], v_new[t, b]
        own = (count - rank + size - 1) // size
        outputs.append(merge_by_tree(*_padded(q[t], k, v, own))[0])
    return torch.stack(outputs)
