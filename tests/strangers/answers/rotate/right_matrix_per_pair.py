# a 2 x 2 matrix for each position and pair, applied by einsum in float32
def rotate(x: Tensor, positions: Tensor, frequencies: Tensor) -> Tensor:
    angle = positions.to(torch.float32)[:, None] * frequencies
    c, s = torch.cos(angle), torch.sin(angle)
    turn = torch.stack([torch.stack([c, -s], -1), torch.stack([s, c], -1)], -2)  # (N, d/2, 2, 2)
    half = x.shape[-1] // 2
    points = torch.stack([x[..., :half], x[..., half:]], -1).float()
    turned = torch.einsum("ncij,...ncj->...nci", turn, points)
    return torch.cat([turned[..., 0], turned[..., 1]], -1).to(x.dtype)
