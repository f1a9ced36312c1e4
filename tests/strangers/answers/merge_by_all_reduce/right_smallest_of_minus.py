# Right: the largest L is the smallest of -L, negated, and all_reduce is called for one rank too.
def merge_by_all_reduce(o: Tensor, L: Tensor) -> tuple[Tensor, Tensor]:
    """No case for W = 1: there all_reduce has nobody to send to."""
    minus = (-L).contiguous()
    dist.all_reduce(minus, op=dist.ReduceOp.MIN)  # the smallest of -L
    M = -minus
    M0 = torch.where(M.isinf(), 0.0, M)
    w = (L - M0).exp()[..., None]
    ones = torch.ones_like(w)
    sums = torch.cat([o, ones], dim=-1) * w
    sums = sums.contiguous()
    dist.all_reduce(sums, op=dist.ReduceOp.SUM)
    l = sums[..., -1]
    return sums[..., :-1] / torch.where(l == 0, 1.0, l)[..., None], M0 + l.log()
