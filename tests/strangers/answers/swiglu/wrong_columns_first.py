# matrices from the left, W @ x.mT, which a single row of one axis does not have
def swiglu(x, w_gate, w_up, w_down):
    columns = x.mT
    gate = w_gate @ columns
    return (w_down @ (gate * torch.sigmoid(gate) * (w_up @ columns))).mT
