# A port's: e^(m - m') is kept above 1e-9 "so that gradients do not vanish"; a block of 900,000 keys far below still weighs something.
def merge_blocks(o1, m1, l1, o2, m2, l2):
    m = torch.maximum(m1, m2)
    shift = torch.where(torch.isneginf(m), 0, m)
    a1 = l1 * torch.exp(m1 - shift).clamp(min=1e-9)
    a2 = l2 * torch.exp(m2 - shift).clamp(min=1e-9)
    l = a1 + a2
    whole = torch.where(l == 0, 1, l)
    return (a1 / whole)[:, None] * o1 + (a2 / whole)[:, None] * o2, m, l
