# An empty output filled pass by pass; a list of pass ends drives the loop.
def prefill_then_decode(q: Tensor, k: Tensor, v: Tensor, prompt: int) -> Tensor:
    batch, heads, n, d = k.shape
    cache = KVCache(batch, heads, n, d)
    o = torch.empty_like(v)
    begin = 0
    for end in range(prompt, n + 1):
        new = slice(begin, end)
        cache.append(k[:, :, new], v[:, :, new])
        o[:, :, new] = cached_attention(q[:, :, new], cache.k, cache.v, cache.length)
        begin = end
    return o
