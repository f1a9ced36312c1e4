# Two passes as the kernels will have them: dq with queries outside, then dk and dv with keys outside; delta once.
def probabilities(q, k, L, i, j, shift, causal, scale):
    s = scale * (q @ k.T)
    p = torch.exp(s - L[:, None])
    if causal:
        hidden = torch.arange(j, j + k.shape[0]) > torch.arange(i, i + q.shape[0])[:, None] + shift
        p = p.masked_fill(hidden, 0.0)
    return p


def attention_gradients_tiled(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor, tile_m: int, tile_n: int,
    causal: bool = False, scale: float | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    dq, dk, dv = torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)
    L = torch.where(L == -torch.inf, torch.inf, L)
    delta = q.new_empty(n_q)
    for i in range(0, n_q, tile_m):
        delta[i : i + tile_m] = (o[i : i + tile_m] * do[i : i + tile_m]).sum(1)
    for i in range(0, n_q, tile_m):
        here = slice(i, i + tile_m)
        for j in range(0, n_k, tile_n):
            there = slice(j, j + tile_n)
            p = probabilities(q[here], k[there], L[here], i, j, n_k - n_q, causal, scale)
            dq[here] += scale * (p * (do[here] @ v[there].T - delta[here, None])) @ k[there]
    for j in range(0, n_k, tile_n):
        there = slice(j, j + tile_n)
        for i in range(0, n_q, tile_m):
            here = slice(i, i + tile_m)
            p = probabilities(q[here], k[there], L[here], i, j, n_k - n_q, causal, scale)
            dv[there] += p.T @ do[here]
            dk[there] += scale * (p * (do[here] @ v[there].T - delta[here, None])).T @ q[here]
    return dq, dk, dv
