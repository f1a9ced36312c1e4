# Right: all four tensors are split into pieces of prompt, 1, 1, ... tokens and walked together.
def prefill_then_decode(q: Tensor, k: Tensor, v: Tensor, prompt: int) -> Tensor:
    batch, heads, n, d = k.shape
    cache = KVCache(batch, heads, n, d)
    o = torch.zeros(batch, heads, n, d, dtype=q.dtype)
    sizes = [prompt] + [1] * (n - prompt)
    for out, *new in zip(*(x.split(sizes, dim=2) for x in (o, q, k, v))):
        cache.append(new[1], new[2])
        out.copy_(cached_attention(new[0], cache.k, cache.v, cache.length))
    return o
