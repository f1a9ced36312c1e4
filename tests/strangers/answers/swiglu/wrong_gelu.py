# the gate of GeGLU (as in Gemma), not of SwiGLU
def swiglu(x: Tensor, w_gate: Tensor, w_up: Tensor, w_down: Tensor) -> Tensor:
    return (torch.nn.functional.gelu(x @ w_gate.T) * (x @ w_up.T)) @ w_down.T
