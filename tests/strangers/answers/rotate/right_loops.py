# plain loops over tokens and pairs, one column of all heads at a time
def rotate(x: Tensor, positions: Tensor, frequencies: Tensor) -> Tensor:
    half = x.shape[-1] // 2
    y = torch.empty(x.shape, dtype=x.dtype)
    for i, p in enumerate(positions):
        for c in range(half):
            angle = p.float() * frequencies[c]
            a, b = x[..., i, c].float(), x[..., i, c + half].float()
            y[..., i, c] = a * torch.cos(angle) - b * torch.sin(angle)
            y[..., i, c + half] = b * torch.cos(angle) + a * torch.sin(angle)
    return y
