# recursion: a chunk is two halves one after the other, down to single keys, each of which is averaged in; right
def one_key(o, m, l, s, v):
    top = torch.maximum(m, s)
    base = torch.where(torch.isneginf(top), 0.0, top)
    old, new = l * torch.exp(m - base), torch.exp(s - base)
    total = old + new
    divisor = torch.where(total == 0, 1.0, total)
    return torch.outer(new / divisor, v) + (old / divisor)[:, None] * o, top, total


def online_chunk(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    keys = s.shape[1]
    if keys == 0:
        return o.clone(), m.clone(), l.clone()
    if keys == 1:
        return one_key(o, m, l, s[:, 0], v[0])
    half = keys // 2
    first = online_chunk(o, m, l, s[:, :half], v[:half])
    return online_chunk(*first, s[:, half:], v[half:])
