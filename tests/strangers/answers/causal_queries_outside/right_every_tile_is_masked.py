# Every tile that is visited is masked, also one that all of its queries see whole, of which the mask takes nothing.
import torch

MINUS = -torch.inf


def causal_queries_outside(q, k, v, tile_m, tile_n, scale=None):
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, out=q.new_zeros(n_q, d_v), lse=q.new_full([n_q], MINUS))
    del q, k, v
    for t in reversed(range(-(-n_q // tile_m))):
        first, stop = t * tile_m, min(n_q, t * tile_m + tile_m)
        _, seen = visible_tiles(start=first, stop=stop, n_q=n_q, n_k=n_k, tile_n=tile_n)
        q_t = hbm.load("Q", first, stop)
        acc, l = q_t.new_zeros(stop - first, d_v), q_t.new_zeros(stop - first)
        m = q_t.new_full([stop - first], MINUS)
        for u in range(seen - 1, -1, -1):
            k_t, v_t = (hbm.load(x, u * tile_n, (u + 1) * tile_n) for x in "KV")
            s = torch.einsum("id,jd->ij", q_t, k_t) * scale
            i = torch.arange(first, stop)[:, None]
            j = torch.arange(u * tile_n, u * tile_n + len(k_t))[None]
            s[j - i > n_k - n_q] = MINUS
            top = torch.maximum(m, s.amax(1))
            calm = torch.where(top == MINUS, 0.0, top)
            p, a = torch.exp(s - calm[:, None]), torch.exp(m - calm)
            acc, l, m = a[:, None] * acc + p @ v_t, a * l + p.sum(1), top
        hbm.store("out", first, acc / torch.where(l == 0, 1.0, l)[:, None])
        hbm.store("lse", first, m + torch.log(l))
    return hbm.tensors["out"], hbm.tensors["lse"], hbm.loads, hbm.stores
