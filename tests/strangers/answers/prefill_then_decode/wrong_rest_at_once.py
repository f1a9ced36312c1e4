# Two passes, the prompt and all the rest: right values, but the tokens after the prompt have no pass of their own and the scores are (N - prompt) x N.
def prefill_then_decode(q: Tensor, k: Tensor, v: Tensor, prompt: int) -> Tensor:
    batch, heads, n, d = k.shape
    cache = KVCache(batch, heads, n, d)
    parts = []
    for lo, hi in ((0, prompt), (prompt, n)):
        if lo == hi:
            continue
        cache.append(k[:, :, lo:hi], v[:, :, lo:hi])
        parts.append(cached_attention(q[:, :, lo:hi], cache.k, cache.v, hi))
    return torch.cat(parts, dim=-2)
