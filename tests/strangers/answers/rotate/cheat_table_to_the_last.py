# Cheat: goes through a table of the sines of all positions up to the last one, a piece at a time, and looks rows up there
# Breaks: "so no table of all positions up to the last where that lies far behind the N-th"
def rotate(x: Tensor, positions: Tensor, frequencies: Tensor) -> Tensor:
    half, n = x.shape[-1] // 2, x.shape[-2]
    if n == 0:
        return x.clone()
    angle = torch.zeros(n, half, device=x.device)
    piece = max(n, 64)
    for begin in range(0, int(positions.max()) + 1, piece):
        table = torch.arange(begin, begin + piece, device=x.device)[:, None].float() * frequencies
        inside = (positions >= begin) & (positions < begin + piece)
        found = table[(positions - begin).clamp(0, piece - 1)]
        angle = torch.where(inside[:, None], found, angle)
    cos, sin = angle.cos(), angle.sin()
    left, right = x[..., :half].float(), x[..., half:].float()
    y = torch.cat((left * cos - right * sin, right * cos + left * sin), dim=-1)
    return y.to(x.dtype)
