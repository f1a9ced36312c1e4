# torch.logaddexp for L (nothing forbids it here) and the sigmoid of the difference for the weights.
def merge_lse(o1: Tensor, L1: Tensor, o2: Tensor, L2: Tensor) -> tuple[Tensor, Tensor]:
    gap = torch.nan_to_num(L1 - L2, nan=0.0, posinf=torch.inf, neginf=-torch.inf)
    w1, w2 = torch.sigmoid(gap)[:, None], torch.sigmoid(-gap)[:, None]
    return w1 * o1 + w2 * o2, torch.logaddexp(L1, L2)
