# Right within its contract: the NaN of 0/0 is wiped out with nan_to_num, and with it those of a query whose o is NaN, and infinities.
# Breaks: "a masked score (-inf) leaves a state as it is", and a query's "o may be NaN".
import torch


def online_step(o, m, l, s, v):
    m_new = torch.maximum(m, s)
    a = torch.nan_to_num(torch.exp(m - m_new))
    b = torch.nan_to_num(torch.exp(s - m_new))
    l_new = l * a + b
    o_new = (l * a / l_new)[:, None] * o + (b / l_new)[:, None] * v
    return torch.nan_to_num(o_new), m_new, l_new
