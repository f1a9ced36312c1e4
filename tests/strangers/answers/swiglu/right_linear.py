# Right: torch's linear function, and sigmoid.
def swiglu(x, w_gate, w_up, w_down):
    F = torch.nn.functional
    z = F.linear(x, w_gate)
    return F.linear(z * z.sigmoid() * F.linear(x, w_up), w_down)
