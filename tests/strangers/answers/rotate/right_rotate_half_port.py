# Right: the port from Hugging Face, x * cos + rotate_half(x) * sin, with tables of d columns.
def rotate(x: Tensor, positions: Tensor, frequencies: Tensor) -> Tensor:
    emb = positions.float().unsqueeze(-1) * frequencies.repeat(2)
    cos, sin = emb.cos(), emb.sin()
    f = x.float()
    x1 = f[..., : f.shape[-1] // 2]
    x2 = f[..., f.shape[-1] // 2 :]
    return (f * cos + torch.cat((-x2, x1), dim=-1) * sin).type_as(x)
