# itertools.product over slices; addmm_ into views of the gradients
from itertools import product


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
    shift = n_k - n_q
    dq, dk, dv = (torch.zeros_like(x) for x in (q, k, v))
    delta = torch.linalg.vecdot(o, do).unsqueeze(1)

    def cut(n: int, step: int) -> list[slice]:
        return [slice(i, min(i + step, n)) for i in range(0, n, step)]

    for rows, keys in product(cut(n_q, tile_m), cut(n_k, tile_n)):
        if causal and keys.start > rows.stop - 1 + shift:
            continue  # nobody sees anything here
        p = (q[rows] @ k[keys].T).mul_(scale).sub_(L[rows, None]).exp_()
        if causal and keys.stop - 1 > rows.start + shift:
            reach = torch.arange(rows.start, rows.stop)[:, None] + shift
            p.masked_fill_(torch.arange(keys.start, keys.stop) > reach, 0.0)
        ds = (do[rows] @ v[keys].T).sub_(delta[rows]).mul_(p)
        dv[keys].addmm_(p.T, do[rows])
        dk[keys].addmm_(ds.T, q[rows], alpha=scale)
        dq[rows].addmm_(ds, k[keys], alpha=scale)
    return dq, dk, dv
