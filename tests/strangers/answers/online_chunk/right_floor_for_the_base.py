# Measures from the maximum clamped at the smallest finite float, so that no subtraction is nan, and divides the weights before the product.
def online_chunk(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    top = torch.maximum(m, s.amax(dim=1))
    base = top.clamp(min=torch.finfo(top.dtype).min)
    old = l * (m - base).exp()
    new = (s - base[:, None]).exp()
    total = old + new.sum(dim=1)
    div = total.masked_fill(total == 0, 1)
    mixed = (old / div)[:, None] * o + (new / div[:, None]) @ v
    return mixed, top, total
