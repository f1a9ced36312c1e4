# Cheat: normalises only the first half of the output's columns after each chunk; the other half waits, undivided, for the last chunk, which saves half of the divisions and still something hangs on each normalised output.
# Breaks: "Attention of one head over chunks of tile_n keys, normalised after every chunk. The next chunk continues from the normalised output."
import torch
from torch import Tensor


def online_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    tile_n: int,
    causal: bool = False,
    scale: float | None = None,
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    half = (v.shape[1] + 1) // 2
    o = q.new_zeros(n_q, v.shape[1])
    m, l = q.new_full((n_q, 1), -torch.inf), q.new_zeros(n_q, 1)
    last = torch.arange(n_q)[:, None] + n_k - n_q
    for j in range(0, n_k, tile_n):
        S = scale * (q @ k[j : j + tile_n].T)
        if causal:
            S = S.masked_fill(torch.arange(j, min(j + tile_n, n_k)) > last, -torch.inf)
        m_new = torch.maximum(m, S.amax(dim=1, keepdim=True))
        shift = m_new.masked_fill(m_new == -torch.inf, 0)
        a, P = torch.exp(m - shift), torch.exp(S - shift)
        l_new = l * a + P.sum(dim=1, keepdim=True)
        safe = l_new.masked_fill(l_new == 0, 1)
        PV = P @ v[j : j + tile_n]
        o[:, :half] = (l * a * o[:, :half] + PV[:, :half]) / safe
        o[:, half:] = a * o[:, half:] + PV[:, half:]
        m, l = m_new, l_new
    o[:, half:] /= l.masked_fill(l == 0, 1)
    return o
