# right: dS_ij = P_ij dO_i . (V_j - O_i), a column for each key
def score_gradients(p, v, o, do):
    ds = torch.empty(p.shape, dtype=p.dtype)
    for j, value in enumerate(v):
        towards = torch.sum((value - o) * do, dim=1)
        ds[:, j] = towards * p[:, j]
    return ds
