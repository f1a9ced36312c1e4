# a block is a key with score L and value o: softmax over a stacked axis of two
def merge_lse(o1: Tensor, L1: Tensor, o2: Tensor, L2: Tensor) -> tuple[Tensor, Tensor]:
    L = torch.stack((L1, L2), dim=-1)
    weights = torch.nan_to_num(torch.softmax(L, dim=-1), nan=0.0)
    o = torch.einsum("nb,nbc->nc", weights, torch.stack((o1, o2), dim=1))
    return o, torch.logsumexp(L, dim=-1)
