# The passes are the pieces of torch.split with sizes [prompt, 1, 1, ...], written straight into o.
def prefill_then_decode(q: Tensor, k: Tensor, v: Tensor, prompt: int) -> Tensor:
    batch, heads, n, d = k.shape
    sizes = [prompt] + [1] * (n - prompt)
    cache = KVCache(batch, heads, n, d)
    o = torch.zeros(batch, heads, n, d, dtype=q.dtype)
    pieces = zip(*(x.split(sizes, dim=2) for x in (q, k, v, o)))
    for q_new, k_new, v_new, room in pieces:
        cache.append(k_new, v_new)
        room.copy_(cached_attention(q_new, cache.k, cache.v, cache.length))
    return o
