# a pair is a complex number, and a turn is a product with e^(i p f), in complex64
def rotate(x, positions, frequencies):
    half = x.shape[-1] // 2
    angles = positions.to(torch.float32).unsqueeze(1) * frequencies.unsqueeze(0)
    turn = torch.complex(angles.cos(), angles.sin())  # (N, d/2)
    wide = x.to(torch.float32)
    points = torch.complex(wide.narrow(-1, 0, half).contiguous(), wide.narrow(-1, half, half).contiguous())
    points = points * turn
    return torch.cat((points.real, points.imag), dim=-1).to(x.dtype)
