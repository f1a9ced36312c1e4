# The past is column 0 of an enlarged chunk with log-weight m and multiplicity l; one normalised weight matrix serves both.
def online_chunk(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    grid = torch.cat([m[:, None], s], dim=1)
    peak = grid.amax(dim=1)
    w = torch.exp(grid - torch.where(peak.isneginf(), 0.0, peak)[:, None])
    w[:, 0] *= l
    total = w.sum(dim=1)
    w /= torch.where(total > 0, total, 1.0)[:, None]
    return torch.addmm(w[:, :1] * o, w[:, 1:], v), peak, total
