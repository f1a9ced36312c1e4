# Wrong: reads all tokens behind the prompt in ONE second pass instead of a pass each; values are right, but the scores of that pass are (N - prompt) x N, more than O(prompt^2 + N) (short prompt, long sequence).
def prefill_then_decode(q: Tensor, k: Tensor, v: Tensor, prompt: int) -> Tensor:
    batch, heads, n, d = k.shape
    cache = KVCache(batch, heads, n, d)
    # prefill
    cache.append(k[:, :, :prompt], v[:, :, :prompt])
    first = cached_attention(q[:, :, :prompt], cache.k, cache.v, cache.length)
    if prompt == n:
        return first
    # decode
    cache.append(k[:, :, prompt:], v[:, :, prompt:])
    second = cached_attention(q[:, :, prompt:], cache.k, cache.v, cache.length)
    return torch.cat((first, second), dim=2)
