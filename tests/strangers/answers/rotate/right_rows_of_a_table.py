# port of vLLM's cos/sin cache: angles once for each different position, rows looked up
def rotate(x: Tensor, positions: Tensor, frequencies: Tensor) -> Tensor:
    different, row = torch.unique(positions, return_inverse=True)
    table = torch.einsum("i,j->ij", different.float(), frequencies)
    cos, sin = table.cos()[row], table.sin()[row]
    first, second = torch.chunk(x.float(), 2, dim=-1)
    return torch.cat((first * cos - second * sin, second * cos + first * sin), dim=-1).to(x.dtype)
