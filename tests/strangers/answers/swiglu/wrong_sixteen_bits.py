# gate and up are computed in bfloat16 to save memory
def swiglu(x: Tensor, w_gate: Tensor, w_up: Tensor, w_down: Tensor) -> Tensor:
    h = x.bfloat16()
    z = (h @ w_gate.bfloat16().T).float()
    up = (h @ w_up.bfloat16().T).float()
    return (z * torch.sigmoid(z) * up) @ w_down.T
