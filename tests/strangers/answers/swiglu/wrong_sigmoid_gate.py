# the first gated unit: a sigmoid for a gate, without its factor z
def swiglu(x: Tensor, w_gate: Tensor, w_up: Tensor, w_down: Tensor) -> Tensor:
    return (torch.sigmoid(x @ w_gate.T) * (x @ w_up.T)) @ w_down.T
