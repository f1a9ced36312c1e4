# Right: partial() aliases for hbm.load, a local store loop over zipped names, range objects, torch.where guards
from functools import partial

import torch
from torch import Tensor


def keys_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor, int, int]:
    n_q, n_k = len(q), len(k)
    scale = q.shape[1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    m, l = q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    hbm = Memory(Q=q, K=k, V=v, O=o, m=m, l=l)
    del q, k, v, o, m, l  # from here on they are seen through hbm only
    for begin in range(0, n_k, tile_n):
        keys, values = (hbm.load(name, begin, begin + tile_n) for name in "KV")
        for i in range(0, n_q, tile_m):
            get = partial(hbm.load, start=i, stop=i + tile_m)
            Q_i, O_i, m_i, l_i = map(get, ("Q", "O", "m", "l"))
            S = scale * Q_i @ keys.T
            m_new = torch.maximum(m_i, S.amax(dim=1))
            P = torch.exp(S - m_new[:, None])
            past = l_i * torch.exp(m_i - m_new)
            l_new = past + P.sum(dim=1)
            O_new = (past[:, None] * O_i + P @ values) / l_new[:, None]
            for name, tile in zip(("O", "m", "l"), (O_new, m_new, l_new), strict=True):
                hbm.store(name, i, tile)
    o, m, l = (hbm.tensors[name] for name in ("O", "m", "l"))
    return o, m, l, hbm.loads, hbm.stores
