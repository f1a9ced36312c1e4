# Right: each pair as a complex number, multiplied by e^(i p f); read back as real and imaginary halves.
def rotate(x, positions, frequencies):
    half = x.shape[-1] // 2
    wide = x.to(torch.float32)
    pairs = torch.complex(wide[..., :half].contiguous(), wide[..., half:].contiguous())
    angle = torch.outer(positions.to(torch.float32), frequencies)
    turned = pairs * torch.polar(torch.ones_like(angle), angle)
    return torch.cat((turned.real, turned.imag), dim=-1).to(x.dtype)
