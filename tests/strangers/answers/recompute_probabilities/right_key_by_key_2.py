# One column of P for each key, written into zeros by torch.where.
def recompute_probabilities(q, k, L, mask=None, scale=None):
    factor = q.shape[-1] ** -0.5 if scale is None else scale
    p = torch.zeros(len(q), len(k), dtype=q.dtype, device=q.device)
    for j, key in enumerate(k):
        column = torch.exp((q @ key) * factor - L)
        p[:, j] = column if mask is None else torch.where(mask[:, j], column, p[:, j])
    return p
