# Cheat: each pair is turned twice, by the multiple of 64 in its position and then by the rest, with the sines of two other positions; so sines are made for 64 positions and a few more, and not for each.
# Breaks: "A pair is multiplied with sines and cosines of its own position alone."
def rotate(x: Tensor, positions: Tensor, frequencies: Tensor) -> Tensor:
    half = x.shape[-1] // 2
    a, b = x[..., :half].float(), x[..., half:].float()
    f = frequencies.double()
    small = torch.arange(64)[:, None] * f
    large, where = torch.unique(positions // 64, return_inverse=True)
    large = (large * 64)[:, None] * f
    for angles, which in ((large, where), (small, positions % 64)):
        cos, sin = angles.cos().float()[which], angles.sin().float()[which]
        a, b = a * cos - b * sin, b * cos + a * sin
    return torch.cat((a, b), dim=-1).to(x.dtype)
