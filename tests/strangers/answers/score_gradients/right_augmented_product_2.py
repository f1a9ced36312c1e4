# delta goes into the product as one more column of dO that meets a column of ones beside V
def score_gradients(p: Tensor, v: Tensor, o: Tensor, do: Tensor) -> Tensor:
    minus_delta = torch.einsum("ic,ic->i", do, o).neg().unsqueeze(1)
    left = torch.cat([do, minus_delta], dim=1)
    right = torch.cat([v, v.new_ones(len(v), 1)], dim=1)
    return torch.mul(left @ right.T, p)
