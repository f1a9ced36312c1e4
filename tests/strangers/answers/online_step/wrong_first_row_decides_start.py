# Takes the shortcut "first key: o = v, m = s, l = 1" for all rows if row 0 has seen nothing, so rows with a past lose it (and the shortcut gives l = 1 for a masked score); mixed states show it.
def online_step(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    if m[0] == -torch.inf and s[0] != -torch.inf:
        return v.repeat(len(m), 1), s.clone(), torch.ones_like(l)
    new = torch.maximum(m, s)
    shift = torch.where(new.isneginf(), torch.zeros_like(new), new)
    a, b = l * torch.exp(m - shift), torch.exp(s - shift)
    den = a + b
    safe = torch.where(den > 0, den, torch.ones_like(den))
    return (a / safe)[:, None] * o + torch.outer(b / safe, v), new, den
