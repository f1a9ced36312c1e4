# Right: a context manager brings a tile of state to the chip and writes it back at the end of the with.
from contextlib import contextmanager

import torch


@contextmanager
def on_chip(hbm, first, last):
    """The state of some queries as a dictionary, stored when the block ends."""
    state = {name: hbm.load(name, first, last) for name in ("O", "m", "l")}
    yield state
    for name, tile in state.items():
        hbm.store(name, first, tile)


def keys_outside(q, k, v, tile_m, tile_n, scale=None):
    n_q, n_k = len(q), len(k)
    scale = q.shape[1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    m, l = q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    hbm = Memory(Q=q, K=k, V=v, O=o, m=m, l=l)
    del q, k, v, o, m, l
    for j in range(0, n_k, tile_n):
        k_tile, v_tile = hbm.load("K", j, j + tile_n), hbm.load("V", j, j + tile_n)
        for i in range(0, n_q, tile_m):
            q_tile = hbm.load("Q", i, i + tile_m)
            with on_chip(hbm, i, i + tile_m) as state:
                s = q_tile @ k_tile.T * scale
                m_new = torch.maximum(state["m"], s.max(dim=1).values)
                p = torch.exp(s - m_new.unsqueeze(1))
                weight = state["l"] * torch.exp(state["m"] - m_new)
                state["l"] = weight + p.sum(dim=1)
                numerator = weight.unsqueeze(1) * state["O"] + p @ v_tile
                state["O"] = numerator / state["l"].unsqueeze(1)
                state["m"] = m_new
    o, m, l = (hbm.tensors[name] for name in ("O", "m", "l"))
    return o, m, l, hbm.loads, hbm.stores
