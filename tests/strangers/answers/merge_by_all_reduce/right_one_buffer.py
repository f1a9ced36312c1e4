# a buffer (B, H, d_v + 1) filled in place; a row of ones makes the denominators another column of the values
def merge_by_all_reduce(o: Tensor, L: Tensor) -> tuple[Tensor, Tensor]:
    batch, heads, d_v = o.shape
    top = torch.empty(batch, heads, dtype=L.dtype, device=L.device).copy_(L)
    dist.all_reduce(top, op=dist.ReduceOp.MAX)
    nobody = torch.isneginf(top)
    sums = torch.ones(batch, heads, d_v + 1, dtype=o.dtype, device=o.device)
    sums[:, :, :d_v] = o
    sums *= torch.where(nobody, 0.0, torch.exp(L - top)).unsqueeze(2)
    dist.all_reduce(sums)
    l = sums[:, :, d_v].masked_fill(nobody, 1.0)
    merged = sums[:, :, :d_v] / l.unsqueeze(2)
    return merged, (top + l.log()).masked_fill(nobody, -torch.inf)
