# Wrong: silu as z e^z / (1 + e^z), which is inf / inf for large gates: the case with gates wide open shows it.
def swiglu(x, w_gate, w_up, w_down):
    z = x @ w_gate.T
    return (z * torch.exp(z) / (1 + torch.exp(z)) * (x @ w_up.T)) @ w_down.T
