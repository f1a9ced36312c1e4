# Lists of views made by split; the sums go in place into the views of the gradients, with addmm_.
def attention_gradients_tiled(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor, tile_m: int, tile_n: int,
    causal: bool = False, scale: float | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    dq, dk, dv = torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)
    rows = list(zip(*(x.split(tile_m) for x in (q, o, L, do, dq)), strict=True))
    columns = list(zip(*(x.split(tile_n) for x in (k, v, dk, dv)), strict=True))
    for i, (q_i, o_i, L_i, do_i, dq_i) in enumerate(rows):
        delta = torch.einsum("rc,rc->r", o_i, do_i)[:, None]
        last = torch.arange(q_i.shape[0])[:, None] + i * tile_m + n_k - n_q
        base = L_i.masked_fill(L_i == -torch.inf, 0.0)[:, None]
        for j, (k_j, v_j, dk_j, dv_j) in enumerate(columns):
            s = (q_i @ k_j.T).mul_(scale)
            if causal:
                s.masked_fill_(torch.arange(k_j.shape[0]) + j * tile_n > last, -torch.inf)
            p = s.sub_(base).exp_()
            dv_j.addmm_(p.T, do_i)
            ds = (do_i @ v_j.T).sub_(delta).mul_(p)
            dq_i.addmm_(ds, k_j, alpha=scale)
            dk_j.addmm_(ds.T, q_i, alpha=scale)
    return dq, dk, dv
