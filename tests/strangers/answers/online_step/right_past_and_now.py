# Computes the total weight of the past and of the new key, each 0 where there is nothing, and mixes with their shares by an outer product.
def online_step(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    top = torch.maximum(m, s)
    past = torch.where(torch.isneginf(m), torch.zeros_like(l), l * torch.exp(m - top))
    now = torch.where(torch.isneginf(s), torch.zeros_like(l), torch.exp(s - top))
    total = past + now
    divisor = torch.where(total > 0, total, torch.ones_like(total))
    return (past / divisor)[:, None] * o + torch.outer(now / divisor, v), top, total
