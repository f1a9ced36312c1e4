# Cheat: the normalised row is written into 16 bits by out= (no cast anywhere) and only then multiplied with the weights: what is between has half the bits, as the fast kernels of old had it.
# Breaks: "All is computed in float32 or wider and rounded at the end".
def rms_norm(x: Tensor, weight: Tensor, eps: float) -> Tensor:
    wide = x.float()
    r = torch.rsqrt(wide.square().mean(dim=-1, keepdim=True) + eps)
    y = torch.empty_like(x, memory_format=torch.contiguous_format)
    torch.mul(wide, r, out=y)
    return torch.mul(y, weight, out=torch.empty_like(y))
