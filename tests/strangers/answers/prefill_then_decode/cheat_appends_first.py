# Cheat: all appends, each of the right tokens, come before the first attention; then the passes look at the cache by lengths. A model that does not know its next token yet cannot do that.
# Breaks: "each other token has a pass of its own. A pass appends its tokens to the cache, and no others."
def prefill_then_decode(q: Tensor, k: Tensor, v: Tensor, prompt: int) -> Tensor:
    batch, heads, n, d = k.shape
    cache = KVCache(batch, heads, n, d)
    passes = [(0, prompt), *((t, t + 1) for t in range(prompt, n))]
    for begin, end in passes:
        cache.append(k[:, :, begin:end], v[:, :, begin:end])
    outputs = [cached_attention(q[:, :, b:e], cache.k, cache.v, e) for b, e in passes]
    return torch.cat(outputs, dim=2)
