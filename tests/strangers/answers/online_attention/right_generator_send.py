# style: a generator that is sent chunks (coroutine), primed with next()
import torch
from torch import Tensor


def _online(n_q: int, d_v: int, like: Tensor):
    """Is sent (scores, values), yields the normalised output so far."""
    o = like.new_zeros(n_q, d_v)
    m = like.new_full((n_q,), -torch.inf)
    l = like.new_zeros(n_q)
    while True:
        s, v = yield o
        o, m, l = online_chunk(o, m, l, s, v)


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
    running = _online(n_q, v.shape[1], q)
    o = next(running)
    for j in range(0, n_k, tile_n):
        s = scale * q @ k[j : j + tile_n].T
        if causal:
            keys = torch.arange(j, j + s.shape[1])
            s = torch.where(keys <= torch.arange(n_q)[:, None] + n_k - n_q, s, -torch.inf)
        o = running.send((s, v[j : j + tile_n]))
    running.close()
    return o
