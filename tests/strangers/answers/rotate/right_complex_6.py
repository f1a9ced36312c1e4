# a physicist: pairs are complex numbers, a position is a phase
def rotate(x: Tensor, positions: Tensor, frequencies: Tensor) -> Tensor:
    real, imaginary = x.float().chunk(2, dim=-1)
    angles = positions.double().unsqueeze(-1) * frequencies.double()
    phase = torch.polar(torch.ones_like(angles), angles).to(torch.complex64)
    turned = torch.complex(real, imaginary) * phase
    return torch.cat([turned.real, turned.imag], dim=-1).to(x.dtype)
