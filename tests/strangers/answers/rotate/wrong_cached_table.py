# Wrong: a table of 2048 positions, and what lies beyond is clamped to its end: positions in long texts show it.
def rotate(x, positions, frequencies):
    table = torch.outer(torch.arange(2048).float(), frequencies)
    angle = table[positions.clamp(max=2047)]
    a, b = x.float().chunk(2, dim=-1)
    return torch.cat([a * angle.cos() - b * angle.sin(), b * angle.cos() + a * angle.sin()], dim=-1).to(x.dtype)
