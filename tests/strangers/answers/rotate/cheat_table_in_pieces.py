# Broken: "so no table of all positions up to the last where that lies far behind the N-th." The table of all positions up to the last is computed, N positions at a time, and of each piece the rows that are asked for are taken: memory shows one piece. Only beyond 64 N positions are the angles computed directly.
def rotate(x: Tensor, positions: Tensor, frequencies: Tensor) -> Tensor:
    n = x.shape[-2]
    cos = torch.empty(n, len(frequencies))
    sin = torch.empty(n, len(frequencies))
    last = int(positions.max()) if n else -1
    if last < 64 * n:
        for begin in range(0, last + 1, max(1, n)):
            piece = torch.arange(begin, min(begin + n, last + 1))
            angles = piece.float()[:, None] * frequencies
            table_cos, table_sin = torch.cos(angles), torch.sin(angles)
            here = ((positions >= begin) & (positions < begin + n)).nonzero()[:, 0]
            cos[here] = table_cos[positions[here] - begin]
            sin[here] = table_sin[positions[here] - begin]
    else:
        angles = positions.float()[:, None] * frequencies
        cos, sin = torch.cos(angles), torch.sin(angles)
    a, b = x.float().chunk(2, dim=-1)
    return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1).to(x.dtype)
