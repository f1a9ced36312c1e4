# e to the power of -|z| on both sides of 0, sums by einsum
def swiglu(x: Tensor, w_gate: Tensor, w_up: Tensor, w_down: Tensor) -> Tensor:
    """The layer of a Llama model that treats every token for itself.

    x: (..., D); w_gate, w_up: (F, D), w_down: (D, F); all float32. As in every checkpoint a
    matrix has a row for each number that it returns, so that W x of a row is x @ W.T.
    Returns y (..., D), same dtype.

        y = W_down (silu(W_gate x) * (W_up x)),  elementwise *,  silu(z) = z / (1 + e^-z)

    What a nearly shut gate lets pass is as exact, relative to its size, as all else.
    Shazeer (2020).
    Forbidden: silu, glu. It stays within torch and Python. Arguments stay as they are, and
    results are new memory.
    """
    gate = torch.einsum("...d,fd->...f", x, w_gate)
    up = torch.einsum("...d,fd->...f", x, w_up)
    small = torch.exp(-gate.abs())
    opened = torch.where(gate < 0, small, torch.ones_like(small)) / (1 + small)
    return torch.einsum("...f,df->...d", gate * opened * up, w_down)
