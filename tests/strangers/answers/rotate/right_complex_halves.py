# style: right; the halves as real and imaginary part, one complex product
def rotate(x: Tensor, positions: Tensor, frequencies: Tensor) -> Tensor:
    left, right = x.float().tensor_split(2, dim=-1)
    angles = torch.einsum("n,c->nc", positions.float(), frequencies.float())
    turned = torch.complex(left, right) * torch.complex(angles.cos(), angles.sin())
    return torch.cat((turned.real, turned.imag), dim=-1).to(x.dtype)
