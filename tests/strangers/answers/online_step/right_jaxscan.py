# Right: JAX, a scan body over a carry, both terms stacked.
import torch


def online_step(o, m, l, s, v):
    carry = (o, m, l)

    def body(carry, x):
        o, m, l = carry
        s, v = x
        maxima = torch.stack((m, s))
        m_next = maxima.amax(0)
        weights = torch.stack((l, torch.ones_like(l))) * torch.exp(
            maxima - torch.where(torch.isneginf(m_next), 0.0, m_next)
        )
        l_next = weights.sum(0)
        w_old, w_new = weights / torch.where(l_next > 0, l_next, 1.0)
        return (w_old[:, None] * o + w_new[:, None] * v[None, :], m_next, l_next)

    return body(carry, (s, v))
