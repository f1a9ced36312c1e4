# right: softmax attention over two keys with scores L1, L2 and values o1, o2; the nan of two empty blocks becomes weights of 0, logsumexp knows -inf
def merge_lse(o1: Tensor, L1: Tensor, o2: Tensor, L2: Tensor) -> tuple[Tensor, Tensor]:
    scores = torch.stack([L1, L2], dim=1)
    weights = torch.softmax(scores, dim=1).nan_to_num(nan=0.0).unsqueeze(1)
    values = torch.stack([o1, o2], dim=1)
    return torch.bmm(weights, values).squeeze(1), torch.logsumexp(scores, dim=1)
