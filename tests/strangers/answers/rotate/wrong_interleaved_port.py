# Wrong: the port from Meta's own code, whose pairs are neighbours; every case with two pairs shows it.
def rotate(x, positions, frequencies):
    angle = torch.outer(positions.float(), frequencies)
    z = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2).contiguous())
    return torch.view_as_real(z * torch.polar(torch.ones_like(angle), angle)).flatten(-2).to(x.dtype)
