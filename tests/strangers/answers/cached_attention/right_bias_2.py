# an additive bias of 0 and -inf handed to baddbmm, one sequence at a time
def cached_attention(
    q: Tensor, k_cache: Tensor, v_cache: Tensor, length: int, scale: float | None = None
) -> Tensor:
    batch, heads, n, d = q.shape
    alpha = d**-0.5 if scale is None else scale
    o = q.new_empty(batch, heads, n, v_cache.shape[3])
    bias = q.new_full((n, length), -torch.inf).triu_(length - n + 1)  # 0 where a key is seen
    keys, values = k_cache[:, :, :length], v_cache[:, :, :length]
    for out, q_b, k_b, v_b in zip(o, q, keys, values):
        s = torch.baddbmm(bias.expand(heads, n, length), q_b, k_b.transpose(1, 2), alpha=alpha)
        torch.bmm(s.softmax(dim=-1), v_b, out=out)
    return o
