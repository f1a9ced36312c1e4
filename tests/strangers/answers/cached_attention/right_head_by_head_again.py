# Right: one matrix product for each sequence and head on views of the cache, mask by the positions of queries and keys, softmax in place.
def cached_attention(
    q: Tensor, k_cache: Tensor, v_cache: Tensor, length: int, scale: float | None = None
) -> Tensor:
    n, d = q.shape[2:]
    scale = d**-0.5 if scale is None else scale
    o = q.new_empty(q.shape[0], q.shape[1], n, v_cache.shape[3])
    here = torch.arange(length - n, length)  # positions of the queries
    future = torch.arange(length).unsqueeze(0) > here.unsqueeze(1)
    for b in range(q.shape[0]):
        for h in range(q.shape[1]):
            keys, values = k_cache[b, h, :length], v_cache[b, h, :length]
            w = torch.mm(q[b, h], keys.T).mul_(scale).masked_fill_(future, float("-inf"))
            w.sub_(w.amax(dim=1, keepdim=True)).exp_()
            o[b, h] = torch.mm(w, values)
            o[b, h].div_(w.sum(dim=1, keepdim=True))
    return o
