# Avoids overflow by clamping the log-sum-exps at 80 instead of subtracting their maximum, so L above 80 is cut off and two such blocks weigh the same; below -104 a block vanishes.
def merge_lse(o1: Tensor, L1: Tensor, o2: Tensor, L2: Tensor) -> tuple[Tensor, Tensor]:
    W1 = torch.exp(torch.clamp(L1, max=80.0))
    W2 = torch.exp(torch.clamp(L2, max=80.0))
    W = W1 + W2
    safe = W + (W == 0)
    o = (W1 / safe)[:, None] * o1 + (W2 / safe)[:, None] * o2
    return o, torch.log(W)
