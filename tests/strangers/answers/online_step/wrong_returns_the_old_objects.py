# early exit hands back the given tensors themselves when all scores are masked, so the result is not new and shares memory with the state
def online_step(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    if bool((s == -torch.inf).all()):
        return o, m, l
    top = torch.maximum(m, s)
    ref = torch.where(torch.isinf(top), torch.zeros_like(top), top)
    w_old, w_new = l * torch.exp(m - ref), torch.exp(s - ref)
    total = w_old + w_new
    d = torch.where(total > 0, total, torch.ones_like(total))
    return (w_old / d)[:, None] * o + (w_new / d)[:, None] * v[None, :], top, total
