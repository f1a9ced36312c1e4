# Right: splits the sequence into sections of prompt, 1, 1, ... tokens and treats all of them alike: append, then attend.
def prefill_then_decode(q: Tensor, k: Tensor, v: Tensor, prompt: int) -> Tensor:
    batch, heads, n, d = k.shape
    cache = KVCache(batch, heads, n, d)
    sections = [prompt] + [1] * (n - prompt)
    o = torch.empty(batch, heads, n, d, dtype=q.dtype)
    passes = zip(*(x.split(sections, dim=2) for x in (q, k, v, o)))
    for queries, keys, values, place in passes:
        cache.append(keys, values)
        place.copy_(cached_attention(queries, cache.k, cache.v, cache.length))
    return o
