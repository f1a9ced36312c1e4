# unpacks three sizes of x: a row or a matrix of rows raises
def swiglu(x: Tensor, w_gate: Tensor, w_up: Tensor, w_down: Tensor) -> Tensor:
    b, n, width = x.shape
    z = x.reshape(b * n, width) @ w_gate.T
    return ((z / (1 + torch.exp(-z))) * (x.reshape(b * n, width) @ w_up.T) @ w_down.T).reshape(b, n, width)
