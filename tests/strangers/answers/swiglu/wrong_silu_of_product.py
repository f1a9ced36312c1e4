# silu is taken of the product of gate and up
def swiglu(x: Tensor, w_gate: Tensor, w_up: Tensor, w_down: Tensor) -> Tensor:
    z = (x @ w_gate.T) * (x @ w_up.T)
    return (z * torch.sigmoid(z)) @ w_down.T
