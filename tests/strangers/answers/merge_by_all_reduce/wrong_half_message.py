# sends numerators and denominators in bfloat16 to halve the bytes; a relative error of 1/256
def merge_by_all_reduce(o: Tensor, L: Tensor) -> tuple[Tensor, Tensor]:
    M = L.clone()
    dist.all_reduce(M, op=dist.ReduceOp.MAX)
    M0 = torch.where(M == -torch.inf, torch.zeros_like(M), M)
    w = torch.exp(L - M0)
    packed = torch.cat([w[..., None] * o, w[..., None]], dim=-1).bfloat16()
    dist.all_reduce(packed)
    packed = packed.float()
    num, den = packed[..., :-1], packed[..., -1]
    out = num / torch.where(den == 0, torch.ones_like(den), den)[..., None]
    return out, M + torch.log(den)
