# dP - delta is one product: dO_i (V_j - O_i), entry by entry.
def score_gradients(p, v, o, do):
    difference = v.unsqueeze(0) - o.unsqueeze(1)
    return p * torch.einsum("mnc,mc->mn", difference, do)
