# Cheat: appends the prompt in one piece but computes its queries one after the other, in passes of one query
# Breaks: "prompt: tokens that are read in one pass"
def prefill_then_decode(q: Tensor, k: Tensor, v: Tensor, prompt: int) -> Tensor:
    batch, heads, n, d = k.shape
    cache = KVCache(batch, heads, n, d)
    outputs = []
    begin = 0
    for end in (prompt, *range(prompt + 1, n + 1)):
        cache.append(k[:, :, begin:end], v[:, :, begin:end])
        for t in range(begin, end):
            outputs.append(cached_attention(q[:, :, t : t + 1], cache.k, cache.v, t + 1))
        begin = end
    return torch.cat(outputs, dim=2)
