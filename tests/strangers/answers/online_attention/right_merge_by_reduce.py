# functional: each chunk becomes a finished state (o, m, l) of its own, and functools.reduce merges them pairwise; right
from functools import reduce


def chunk_states(q, k, v, tile_n, causal, scale):
    n_q, n_k = q.shape[0], k.shape[0]
    for j in range(0, n_k, tile_n):
        s = torch.einsum("id,jd->ij", q, k[j : j + tile_n]) * scale
        if causal:
            room = torch.arange(n_q).unsqueeze(1) + (n_k - n_q)
            s = torch.where(torch.arange(j, j + s.shape[1]) <= room, s, -torch.inf)
        m = s.amax(dim=1)
        p = torch.exp(s - torch.where(torch.isinf(m), 0.0, m)[:, None])
        l = p.sum(dim=1)
        yield p @ v[j : j + tile_n] / torch.where(l > 0, l, 1.0)[:, None], m, l


def merged(one, two):
    (o1, m1, l1), (o2, m2, l2) = one, two
    m = torch.maximum(m1, m2)
    base = torch.where(torch.isinf(m), 0.0, m)
    w1, w2 = l1 * torch.exp(m1 - base), l2 * torch.exp(m2 - base)
    l = w1 + w2
    whole = torch.where(l > 0, l, 1.0)
    return (w1 / whole)[:, None] * o1 + (w2 / whole)[:, None] * o2, m, l


def online_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    tile_n: int,
    causal: bool = False,
    scale: float | None = None,
) -> Tensor:
    n_q = q.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    nothing = q.new_zeros(n_q, v.shape[1]), q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    return reduce(merged, chunk_states(q, k, v, tile_n, causal, scale), nothing)[0]
