# one buffer of d_v + 1 columns filled by slices, masks by where; keeps the contract
def merge_by_all_reduce(o: Tensor, L: Tensor) -> tuple[Tensor, Tensor]:
    batch, heads, d_v = o.shape
    top = torch.empty(batch, heads, dtype=L.dtype, device=L.device)
    top.copy_(L)
    dist.all_reduce(top, op=dist.ReduceOp.MAX)
    seen = top > float("-inf")
    base = torch.where(seen, top, torch.zeros_like(top))
    sums = torch.empty(batch, heads, d_v + 1, dtype=o.dtype, device=o.device)
    weight = torch.exp(L - base)
    torch.mul(o, weight.unsqueeze(2), out=sums[:, :, :d_v])
    sums[:, :, d_v] = weight
    dist.all_reduce(sums)
    denominator = torch.where(seen, sums[:, :, d_v], torch.ones_like(top))
    result = sums[:, :, :d_v] / denominator.unsqueeze(2)
    return result, torch.where(seen, base + torch.log(denominator), top)
