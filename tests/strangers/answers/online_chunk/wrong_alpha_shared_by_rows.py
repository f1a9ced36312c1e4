# Rescales the past of all rows by one factor, the smallest alpha of any row, whenever some maximum grows: rows whose maximum grew less (or not) lose part of their past. A single row, or a fresh state, passes.
def online_chunk(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    rowmax = torch.maximum(m, s.amax(dim=1))
    safe = rowmax.masked_fill(rowmax == -torch.inf, 0.0)
    P = torch.exp(s - safe[:, None])
    past = l
    if (rowmax > m).any():
        past = l * torch.exp(m - safe).min()
    den = past + P.sum(dim=1)
    o2 = (past[:, None] * o + P @ v) / den.masked_fill(den == 0, 1.0)[:, None]
    return o2, rowmax, den
