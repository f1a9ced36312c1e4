# divide and conquer: a chunk is the merge of its halves, a single key is a state of its own, and the old state is merged in last
def _merge(a, b):
    (o_a, m_a, l_a), (o_b, m_b, l_b) = a, b
    m = torch.maximum(m_a, m_b)
    base = torch.where(torch.isneginf(m), torch.zeros_like(m), m)
    w_a, w_b = l_a * torch.exp(m_a - base), l_b * torch.exp(m_b - base)
    l = w_a + w_b
    safe = torch.where(l == 0, torch.ones_like(l), l)
    return o_a * (w_a / safe)[:, None] + o_b * (w_b / safe)[:, None], m, l


def _state(s, v):
    keys = s.shape[1]
    if keys == 1:
        score = s[:, 0]
        seen = (~torch.isneginf(score)).to(s.dtype)
        return seen[:, None] * v, score, seen
    half = keys // 2
    return _merge(_state(s[:, :half], v[:half]), _state(s[:, half:], v[half:]))


def online_chunk(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    if s.shape[1] == 0:
        return o.clone(), m.clone(), l.clone()
    return _merge((o, m, l), _state(s, v))
