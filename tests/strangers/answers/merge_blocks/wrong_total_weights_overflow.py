# computes the total weights l e^m themselves: infinite above scores of 88, zero below -104, then nan
def merge_blocks(
    o1: Tensor, m1: Tensor, l1: Tensor, o2: Tensor, m2: Tensor, l2: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    W1, W2 = l1 * torch.exp(m1), l2 * torch.exp(m2)
    W = W1 + W2
    m = torch.maximum(m1, m2)
    safe = torch.where(W == 0, torch.ones_like(W), W)
    o = (W1 / safe)[:, None] * o1 + (W2 / safe)[:, None] * o2
    return o, m, torch.where(W == 0, torch.zeros_like(W), W * torch.exp(-m))
