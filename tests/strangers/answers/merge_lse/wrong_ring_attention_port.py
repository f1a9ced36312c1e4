# Port of ring-flash-attention's update (sigmoid and logsigmoid of the difference): merging INTO an empty first block gives -inf minus -inf = NaN in L, as do two empty ones; an empty second block works.
def merge_lse(o1: Tensor, L1: Tensor, o2: Tensor, L2: Tensor) -> tuple[Tensor, Tensor]:
    out = o1 - torch.sigmoid(L2 - L1).unsqueeze(-1) * (o1 - o2)
    lse = L1 - torch.nn.functional.logsigmoid(L1 - L2)
    return out, lse
