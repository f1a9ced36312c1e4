# masks with the offset but skips tiles by comparing j with i without it: tiles that are seen are jumped over when causal and n_k > n_q; equal lengths are right
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
    for j in range(0, n_k, tile_n):
        for i in range(0, n_q, tile_m):
            if causal and j > i + tile_m - 1:
                continue  # above the diagonal
            a, b = min(i + tile_m, n_q), min(j + tile_n, n_k)
            p = torch.exp(scale * q[i:a] @ k[j:b].T - L[i:a, None])
            p[L[i:a] == -torch.inf] = 0
            if causal:
                p[torch.arange(j, b) > torch.arange(i, a)[:, None] + n_k - n_q] = 0
            ds = p * (do[i:a] @ v[j:b].T - (do[i:a] * o[i:a]).sum(1, keepdim=True))
            dv[j:b] += p.T @ do[i:a]
            dk[j:b] += ds.T @ q[i:a] * scale
            dq[i:a] += ds @ k[j:b] * scale
    return dq, dk, dv
