# the gate of ReGLU: relu for silu
def swiglu(x: Tensor, w_gate: Tensor, w_up: Tensor, w_down: Tensor) -> Tensor:
    return (torch.relu(x @ w_gate.T) * (x @ w_up.T)) @ w_down.T
