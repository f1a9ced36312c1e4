# The share of the past and that of the new key as two vectors, applied with a row scaling and an outer product.
def online_step(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    top = torch.maximum(m, s)
    base = top.masked_fill(top.isneginf(), 0.0)
    past = l * torch.exp(m - base)
    new = torch.exp(s - base)
    total = past + new
    safe = total.masked_fill(total == 0, 1.0)
    return (past / safe).unsqueeze(1) * o + torch.outer(new / safe, v), top, total
