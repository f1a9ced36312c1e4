# mixes two ports: pairs are halves, but each frequency stands at two neighbouring columns
def rotate(x: Tensor, positions: Tensor, frequencies: Tensor) -> Tensor:
    angle = (positions.float()[:, None] * frequencies).repeat_interleave(2, dim=-1)
    a, b = x.chunk(2, -1)
    return (x.float() * angle.cos() + torch.cat([-b, a], -1).float() * angle.sin()).to(x.dtype)
