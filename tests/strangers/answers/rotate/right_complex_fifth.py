# right: each pair is a complex number, and turning is one complex product
def rotate(x: Tensor, positions: Tensor, frequencies: Tensor) -> Tensor:
    """Rotary position embedding by complex numbers."""
    angles = torch.outer(positions.to(torch.float32), frequencies.to(torch.float32))
    turn = torch.complex(angles.cos(), angles.sin())  # (N, d/2)
    near, far = x.to(torch.float32).tensor_split(2, dim=-1)
    turned = torch.complex(near.contiguous(), far.contiguous()) * turn
    return torch.cat((turned.real, turned.imag), dim=-1).to(x.dtype)
