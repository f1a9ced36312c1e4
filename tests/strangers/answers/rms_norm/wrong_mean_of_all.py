# student: one mean over the last two axes; wrong where a text has more than one row
def rms_norm(x: Tensor, weight: Tensor, eps: float) -> Tensor:
    h = x.float()
    variance = h.pow(2).mean(dim=tuple(range(max(0, h.dim() - 2), h.dim())), keepdim=True)
    h = h * torch.rsqrt(variance + eps)
    return (weight * h).to(x.dtype)
