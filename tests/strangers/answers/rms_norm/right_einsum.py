# the sum of squares of each row by einsum, a division at the end
def rms_norm(x: Tensor, weight: Tensor, eps: float) -> Tensor:
    z = x.to(torch.float32)
    squares = torch.einsum("...c,...c->...", z, z) / x.shape[-1]
    return torch.div(z * weight, torch.sqrt(squares + eps)[..., None]).to(x.dtype)
