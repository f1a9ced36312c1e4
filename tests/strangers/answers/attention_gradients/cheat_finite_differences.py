# forbidden 'backward', 'autograd': every derivative is a quotient of differences of the forward pass in 64 bits, extrapolated to steps of length 0
import torch
from torch import Tensor


def attention_gradients(q, k, v, o, L, do, causal=False, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    q, k, v, do = (x.double() for x in (q, k, v, do))
    visible = torch.arange(n_k) <= torch.arange(n_q)[:, None] + n_k - n_q if causal else None

    def loss(s, v):  # of each row
        s = s * scale
        if visible is not None:
            s = s.masked_fill(~visible, -torch.inf)
        m = s.amax(dim=1, keepdim=True)
        e = torch.exp(s - m.masked_fill(m == -torch.inf, 0))
        l = e.sum(dim=1, keepdim=True)
        return ((e @ v / l.masked_fill(l == 0, 1)) * do).sum(dim=1)

    s = q @ k.T
    size = max(1e-3, float(s.abs().max()) * abs(scale))

    def slope(change, h):
        """d loss of each row, where the scores change by h * change."""
        def central(h):
            return (loss(s + h * change, v) - loss(s - h * change, v)) / (2 * h)
        return (64 * central(h / 4) - 20 * central(h / 2) + central(h)) / 45

    dq, dk, dv = torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)
    unit = 2e-3 / max(1e-30, abs(scale))
    for c in range(q.shape[1]):
        most = max(1e-30, float(k[:, c].abs().max()))
        dq[:, c] = slope(k[:, c].expand(n_q, n_k), unit / most)
    for j in range(n_k):
        at = torch.zeros(n_q, n_k, dtype=q.dtype)
        at[:, j] = 1
        dk[j] = slope(at, unit) @ q  # a step of one key changes one column of the scores
        for c in range(v.shape[1]):
            step = torch.zeros_like(v)
            step[j, c] = 1
            dv[j, c] = ((loss(s, v + step) - loss(s, v - step)) / 2).sum()
    return dq.float(), dk.float(), dv.float()
