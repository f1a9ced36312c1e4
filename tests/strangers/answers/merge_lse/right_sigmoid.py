# right: weights from the sigmoid of the difference, which is 0 by definition where neither block has keys
def merge_lse(o1, L1, o2, L2):
    no_keys = (L1 == -torch.inf) & (L2 == -torch.inf)
    difference = (L1 - L2).masked_fill(no_keys, 0.0)
    first = torch.sigmoid(difference)
    second = torch.sigmoid(-difference)
    larger = torch.where(L1 > L2, L1, L2)
    L = larger + torch.nn.functional.softplus(-difference.abs())
    o = first.unsqueeze(1) * o1 + second.unsqueeze(1) * o2
    return o.masked_fill(no_keys.unsqueeze(1), 0.0), L
