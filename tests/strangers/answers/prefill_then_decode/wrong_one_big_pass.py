# Appends everything and attends once over all N queries: same numbers, but N x N scores whatever the prompt is (memory rule broken for a short prompt).
def prefill_then_decode(q: Tensor, k: Tensor, v: Tensor, prompt: int) -> Tensor:
    batch, heads, n, d = k.shape
    cache = KVCache(batch, heads, n, d)
    cache.append(k[:, :, :prompt], v[:, :, :prompt])
    cache.append(k[:, :, prompt:], v[:, :, prompt:])
    return cached_attention(q, *cache.contents(), cache.length)
