# right: powers of two, and one buffer that is filled in place and sent
def merge_by_all_reduce(o: Tensor, L: Tensor) -> tuple[Tensor, Tensor]:
    """Attention over all ranks' keys, by two calls of `all_reduce`."""
    batch, heads, d_v = o.shape
    M = torch.empty(batch, heads, dtype=L.dtype, device=L.device)
    M.copy_(L)
    dist.all_reduce(M, op=dist.ReduceOp.MAX)
    nobody = M == -torch.inf
    M[nobody] = 0
    packed = torch.empty(batch, heads, d_v + 1, dtype=o.dtype, device=o.device)
    weight = packed[..., d_v]
    torch.exp2((L - M) * 1.4426950408889634, out=weight)
    torch.mul(o, weight[..., None], out=packed[..., :d_v])
    dist.all_reduce(packed)
    total = packed[..., d_v]
    result = packed[..., :d_v] / total.masked_fill(nobody, 1)[..., None]
    return result, M + torch.log2(total) * 0.6931471805599453
