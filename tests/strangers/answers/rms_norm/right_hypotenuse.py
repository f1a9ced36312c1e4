# sum of squares by einsum; root of a sum of two squares as a hypotenuse of length and sqrt(eps)
def rms_norm(x: Tensor, weight: Tensor, eps: float) -> Tensor:
    """Each row of x divided by its root mean square, times a weight for each column.

    x: (..., D) float32 or 16 bits wide; weight: (D,) float32; eps: a small positive number.
    Returns y (..., D), dtype that of x. All is computed in float32 and rounded at the end: in
    float16 the square of 300 is infinite.

        y_c = weight_c x_c / sqrt(mean_c(x_c^2) + eps)

    Zhang and Sennrich (2019).
    Forbidden: rms_norm, layer_norm, group_norm, instance_norm, batch_norm, normalize,
    autograd, backward. It stays within torch and Python. Arguments stay as they are, and
    results are new memory.
    """
    wide = x.to(torch.float32)
    square = torch.einsum("...d,...d->...", wide, wide) / x.shape[-1]
    size = torch.hypot(square.sqrt(), torch.full_like(square, eps**0.5))
    return torch.mul(wide / size.unsqueeze(-1), weight).to(dtype=x.dtype)
