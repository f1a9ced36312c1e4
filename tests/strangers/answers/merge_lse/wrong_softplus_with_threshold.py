# L = L2 + softplus(L1 - L2), which is nan for an empty second block (inf - inf) and for two empty blocks; right as long as both have keys
def merge_lse(o1: Tensor, L1: Tensor, o2: Tensor, L2: Tensor) -> tuple[Tensor, Tensor]:
    delta = L1 - L2
    L = L2 + torch.nn.functional.softplus(delta)
    share = torch.sigmoid(delta).nan_to_num(0.0).unsqueeze(-1)
    return share * o1 + (1 - share) * o2, L
