# a statistician: two log-odds make a sigmoid
def merge_lse(o1: Tensor, L1: Tensor, o2: Tensor, L2: Tensor) -> tuple[Tensor, Tensor]:
    log_odds = L1 - L2
    nobody = torch.isneginf(L1) & torch.isneginf(L2)
    log_odds = torch.where(nobody, torch.zeros_like(log_odds), log_odds)
    first, second = torch.sigmoid(log_odds), torch.sigmoid(-log_odds)
    o = first[:, None] * o1 + second[:, None] * o2
    return o, torch.logaddexp(L1, L2)
