# right: scores and -L in one addmm, masked after that with -inf, then exp in place
def recompute_probabilities(q, k, L, mask=None, scale=None):
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    exponent = torch.addmm(L.neg().unsqueeze(1), q, k.t(), alpha=float(scale))
    if mask is not None:
        exponent.masked_fill_(mask.logical_not(), -torch.inf)
    return exponent.exp_()
