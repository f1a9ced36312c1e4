# pairs as complex numbers, in float64
import torch
def rotate(x, positions, frequencies):
    l, r = x.double().chunk(2, -1)
    a = positions.double()[:, None] * frequencies.double()
    z = torch.complex(l.contiguous(), r.contiguous()) * torch.polar(torch.ones_like(a), a)
    return torch.cat([z.real, z.imag], -1).to(x.dtype)
