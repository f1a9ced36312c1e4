# fills one tensor (B, H, d_v + 1) in place, weights through log-softmax-like differences, rows without keys chosen by where
def merge_by_all_reduce(o: Tensor, L: Tensor) -> tuple[Tensor, Tensor]:
    """Attention over all ranks' keys, by two calls of `all_reduce`.

    Runs on W ranks; W = 1 is one of the sizes. The first call finds the largest log-sum-exp;
    the second sums numerators and denominators together, in one tensor.

    o: (B, H, d_v), L: (B, H) float32: attention over this rank's keys; 0 and -inf where it has
    none.
    Returns o (B, H, d_v), L (B, H) over all ranks' keys, in new memory, same dtype, bit for bit
    the same on every rank; 0 and -inf for a sequence of which no rank has a key.
    Messages: two, of B H and of B H (d_v + 1) numbers; only contiguous tensors can be sent.

        M = max_r L_r        w_r = e^(L_r - M)
        o = sum_r w_r o_r / sum_r w_r        L = M + log sum_r w_r

    It stays within torch and Python. Arguments stay as they are, and results are new
    memory.
    """
    largest = torch.empty(L.shape, dtype=L.dtype, device=L.device).copy_(L)
    dist.all_reduce(largest, op=dist.ReduceOp.MAX)
    w = torch.where(torch.isneginf(L), torch.zeros_like(L), torch.exp(L - largest))
    sums = torch.zeros(*L.shape, o.shape[-1] + 1, dtype=o.dtype, device=o.device)
    torch.mul(o, w.unsqueeze(-1), out=sums[..., : o.shape[-1]])
    sums[..., o.shape[-1]] = w
    dist.all_reduce(sums)
    numerator, denominator = sums.split((o.shape[-1], 1), dim=-1)
    some = denominator > 0
    merged = torch.where(some, numerator / denominator, torch.zeros_like(numerator))
    whole = torch.where(some.squeeze(-1), largest + denominator.squeeze(-1).log(), largest)
    return merged, whole
