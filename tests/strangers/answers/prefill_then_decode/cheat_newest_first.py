# Cheat: the decode passes' attention is computed one pass late, after the next token is appended, so that the order of writing and asking is turned round (append t + 1 before output t exists).
# Breaks: "Causal attention over a sequence read through a cache: its prompt, then token by token"; "One pass appends what is new and then lets the new queries look, in this order".
def prefill_then_decode(q: Tensor, k: Tensor, v: Tensor, prompt: int) -> Tensor:
    batch, heads, n, d = k.shape
    cache = KVCache(batch, heads, n + 1, d)
    o = torch.empty(batch, heads, n, d, dtype=q.dtype)
    cache.append(k[:, :, :prompt], v[:, :, :prompt])
    begin, end = 0, prompt
    while end <= n:
        if end < n:
            cache.append(k[:, :, end : end + 1], v[:, :, end : end + 1])
        o[:, :, begin:end] = cached_attention(q[:, :, begin:end], cache.k, cache.v, end)
        begin, end = end, end + 1
    return o
