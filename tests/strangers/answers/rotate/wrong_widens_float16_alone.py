# only float16 is turned in float32: angles of bfloat16 are rounded to its 8 bits
def rotate(x, positions, frequencies):
    wide = torch.bfloat16 if x.dtype == torch.bfloat16 else torch.float32
    angle = positions[:, None].to(wide) * frequencies.to(wide)
    a, b = x.to(wide).chunk(2, -1)
    c, s = angle.cos(), angle.sin()
    return torch.cat((a * c - b * s, b * c + a * s), -1).to(x.dtype)
