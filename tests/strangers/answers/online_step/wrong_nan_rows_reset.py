# Lets the masked first key produce NaN and cleans with nan_to_num at the end, which also turns the maximum's -inf into -3.4e38, so the state of a still empty row is no longer (0, -inf, 0).
def online_step(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    mx = torch.maximum(m, s)
    past = l * torch.exp(m - mx)
    now = torch.exp(s - mx)
    den = past + now
    out = o * (past / den).unsqueeze(1) + v * (now / den).unsqueeze(1)
    out, mx, den = map(torch.nan_to_num, (out, mx, den))
    return out, mx, den
