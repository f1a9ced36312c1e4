# Right: q, k, v split into one piece of `prompt` and pieces of 1, each piece appended and then asked, written into a preallocated output.
def prefill_then_decode(q: Tensor, k: Tensor, v: Tensor, prompt: int) -> Tensor:
    batch, heads, n, d = k.shape
    pieces = [prompt] + [1] * (n - prompt)
    cache = KVCache(batch, heads, n, d)
    o = torch.empty(batch, heads, n, d, dtype=q.dtype)
    for q_new, k_new, v_new, o_new in zip(*(x.split(pieces, dim=2) for x in (q, k, v, o))):
        cache.append(k_new, v_new)
        o_new.copy_(cached_attention(q_new, cache.k, cache.v, cache.length))
    return o
