# plain Python, a row at a time with math.exp, tensors only at the border
import math


def _row(o, m, l, s, v):
    if s == -math.inf:
        return list(o), m, l
    if m == -math.inf:
        return list(v), s, 1.0
    top = m if m >= s else s
    past, now = l * math.exp(m - top), math.exp(s - top)
    total = past + now
    return [(past * a + now * b) / total for a, b in zip(o, v)], top, total


def online_step(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    values = v.tolist()
    out, tops, sums = [], [], []
    for state in zip(o.tolist(), m.tolist(), l.tolist(), s.tolist()):
        a, b, c = _row(*state, values)
        out.append(a)
        tops.append(b)
        sums.append(c)
    make = dict(dtype=o.dtype, device=o.device)
    return (
        torch.tensor(out, **make).reshape(o.shape),
        torch.tensor(tops, **make).reshape(m.shape),
        torch.tensor(sums, **make).reshape(l.shape),
    )
