# Wrong: gate and up have changed places.
def swiglu(x, w_gate, w_up, w_down):
    u = x @ w_up.T
    return (u * torch.sigmoid(u) * (x @ w_gate.T)) @ w_down.T
