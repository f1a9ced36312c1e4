# Exponentiates relative to the single largest score of all rows and converts l to each row's maximum afterwards: rows about 90 or more below the largest one underflow and come out as zeros or NaN.
def online_chunk(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    top = torch.maximum(m, s.amax(1))
    g = top.max()
    if g == -torch.inf:
        return o.clone(), top, l.clone()
    past = l * (m - g).exp()
    P = (s - g).exp()
    den = past + P.sum(1)
    num = past[:, None] * o + P @ v
    out = num / den.clamp(min=torch.finfo(den.dtype).tiny)[:, None]
    return out, top, torch.where(den > 0, den * (g - top).exp(), den)
