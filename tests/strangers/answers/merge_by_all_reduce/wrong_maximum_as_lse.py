# one message of numerators and denominators; returns the ranks' largest L for L, without the logarithm, in every case with keys
def merge_by_all_reduce(o: Tensor, L: Tensor) -> tuple[Tensor, Tensor]:
    M = L.clone()
    dist.all_reduce(M, op=dist.ReduceOp.MAX)
    M0 = torch.where(M == -torch.inf, torch.zeros_like(M), M)
    w = torch.exp(L - M0)
    packed = torch.cat([w[..., None] * o, w[..., None]], dim=-1)
    dist.all_reduce(packed)
    num, den = packed[..., :-1], packed[..., -1]
    out = num / torch.where(den == 0, torch.ones_like(den), den)[..., None]
    return out, M
