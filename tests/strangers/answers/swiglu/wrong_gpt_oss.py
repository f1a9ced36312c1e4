# port of gpt-oss's swiglu: sigmoid(1.702 z) and up + 1; wrong for nearly all x
def swiglu(x: Tensor, w_gate: Tensor, w_up: Tensor, w_down: Tensor) -> Tensor:
    z = torch.einsum("...d,fd->...f", x, w_gate)
    up = torch.einsum("...d,fd->...f", x, w_up)
    return torch.einsum("...f,df->...d", z * torch.sigmoid(1.702 * z) * (up + 1), w_down)
