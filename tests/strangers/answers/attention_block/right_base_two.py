# right: einsum, base 2 after the maximum is taken off, empty rows by a +inf base
import math


def attention_block(q, k, v, mask=None, scale=None):
    if scale is None:
        scale = 1 / math.sqrt(q.shape[1])
    s = torch.einsum("id,jd->ij", q, k).mul(scale)
    if mask is not None:
        s[~mask] = -math.inf
    m = s.max(dim=1).values
    base = m.clone()
    base[m == -math.inf] = math.inf  # -inf - inf = -inf, whose power is 0
    w = torch.exp2((s - base[:, None]) * math.log2(math.e))
    l = torch.einsum("ij->i", w)
    share = w / l.clamp(min=1)[:, None]  # a row that sees a key has l >= 1
    return torch.einsum("ij,jc->ic", share, v), m, l
