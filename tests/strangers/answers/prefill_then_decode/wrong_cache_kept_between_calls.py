# Keeps the cache of the last call for the same shapes on the function object and only resets its length when it is full; two calls with different prompts interfere after an interrupted one, and the returned buffer is the same object for equal shapes, overwritten by the next call.
def prefill_then_decode(q: Tensor, k: Tensor, v: Tensor, prompt: int) -> Tensor:
    batch, heads, n, d = k.shape
    store = prefill_then_decode.__dict__.setdefault("store", {})
    if k.shape not in store:
        store[k.shape] = KVCache(batch, heads, n, d), torch.zeros_like(q)
    cache, o = store[k.shape]
    if cache.length == n:
        cache.length = 0
    for a, b in [(0, prompt)] + [(t, t + 1) for t in range(prompt, n)]:
        cache.append(k[:, :, a:b], v[:, :, a:b])
        o[:, :, a:b] = cached_attention(q[:, :, a:b], cache.k, cache.v, cache.length)
    return o
