# style: context manager for "load, change, store", generators, contextlib
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace

import torch
from torch import Tensor


@contextmanager
def on_chip(hbm, start: int, stop: int) -> Iterator[SimpleNamespace]:
    """Rows start to stop - 1 of O, m and l: loaded at the beginning, stored at the end."""
    state = SimpleNamespace(**{name: hbm.load(name, start, stop) for name in ("O", "m", "l")})
    yield state
    for name in ("O", "m", "l"):
        hbm.store(name, start, getattr(state, name))


def keys_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor, int, int]:
    n_q, n_k = len(q), len(k)
    scale = q.shape[1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    m, l = q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    hbm = Memory(Q=q, K=k, V=v, O=o, m=m, l=l)
    del q, k, v, o, m, l
    for j in range(0, n_k, tile_n):
        keys, values = hbm.load("K", j, j + tile_n), hbm.load("V", j, j + tile_n)
        for i in range(0, n_q, tile_m):
            queries = hbm.load("Q", i, i + tile_m)
            with on_chip(hbm, i, i + tile_m) as state:
                s = scale * (queries @ keys.T)
                m_new = torch.maximum(state.m, s.amax(dim=1))
                p = torch.exp(s - m_new[:, None])
                old = state.l * torch.exp(state.m - m_new)
                l_new = old + p.sum(dim=1)
                state.O = (old[:, None] * state.O + p @ values) / l_new[:, None]
                state.m, state.l = m_new, l_new
    o, m, l = (hbm.tensors[name] for name in ("O", "m", "l"))
    return o, m, l, hbm.loads, hbm.stores
