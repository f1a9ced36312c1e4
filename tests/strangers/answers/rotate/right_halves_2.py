# in place on two halves of a fresh tensor, addcmul_
def rotate(x: Tensor, positions: Tensor, frequencies: Tensor) -> Tensor:
    half = x.shape[-1] // 2
    angles = positions.to(torch.float64)[:, None] * frequencies.to(torch.float64)
    cos, sin = angles.cos().to(torch.float32), angles.sin().to(torch.float32)
    left, right = x[..., :half].to(torch.float32), x[..., half:].to(torch.float32)
    y = torch.empty(x.shape, dtype=x.dtype, device=x.device)
    y[..., :half] = (left * cos).addcmul_(right, sin, value=-1)
    y[..., half:] = (right * cos).addcmul_(left, sin)
    return y
