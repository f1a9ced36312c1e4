# the keys of the cache are copied in every pass, its values are not
def prefill_then_decode(q: Tensor, k: Tensor, v: Tensor, prompt: int) -> Tensor:
    """Causal attention over a sequence read through a cache: its prompt, then token by token.

    Made of `KVCache`, with room for the N tokens, and `cached_attention`.

    q, k, v: (B, H, N, d) float32, of all N tokens.
    prompt: tokens that are read in one pass, 1 <= prompt <= N; each other token has a
    pass of its own. A pass appends its tokens to the cache, and no others.
    Returns o (B, H, N, d), same dtype: what one pass over all N tokens gives.
    Memory: the cache, o, and the scores of one pass, O(B H (N d + prompt^2 + N)) numbers.
    Products: a pass multiplies its queries, once, with the keys and values of the tokens read.
    """
    batch, heads, n, d = k.shape
    cache = KVCache(batch, heads, n, d)
    o = torch.empty_like(q)
    start, stop = 0, prompt
    while start < n:
        cache.append(k[:, :, start:stop], v[:, :, start:stop])
        o[:, :, start:stop] = cached_attention(
            q[:, :, start:stop], cache.k[:, :, : cache.length].clone(), cache.v, cache.length
        )
        start, stop = stop, stop + 1
    return o

