# right: the sum of squares by einsum, one reciprocal root per row, rounding at the very end
def rms_norm(x: Tensor, weight: Tensor, eps: float) -> Tensor:
    """Root mean square norm of rows."""
    wide = x.to(torch.float32)
    squares = torch.einsum("...c,...c->...", wide, wide)
    inverse = (squares / x.shape[-1] + eps).sqrt().reciprocal()
    y = torch.einsum("...c,...,c->...c", wide, inverse, weight.to(torch.float32))
    return y.to(x.dtype) if x.dtype != torch.float32 else y
