# Exponentials of scores minus the row's maximum over what is seen, all in the one matrix of scores, divided at the end.
def cached_attention(q, k_cache, v_cache, length, scale=None):
    batch, heads, n, d = q.shape
    factor = d**-0.5 if scale is None else scale
    o = q.new_empty(batch, heads, n, v_cache.shape[3])
    if n == 0:
        return o
    s = torch.matmul(q, k_cache[:, :, :length].mT)
    s *= factor
    for i in range(n):
        s[:, :, i, length - n + i + 1 :] = -torch.inf
    s -= s.amax(dim=-1, keepdim=True)
    s.exp_()
    torch.matmul(s, v_cache[:, :, :length], out=o)
    o /= s.sum(dim=-1, keepdim=True)
    return o
