# Right: an accumulator class with __enter__/__exit__, index_add-like slices, tiles by torch.split and enumerate
import torch
from torch import Tensor


class Gradients:
    """dq, dk, dv of one call, added to by pair of tiles; use it in a with statement."""

    def __init__(self, q: Tensor, k: Tensor, v: Tensor, scale: float) -> None:
        self.dq, self.dk, self.dv = map(torch.zeros_like, (q, k, v))
        self.scale = scale

    def __enter__(self) -> "Gradients":
        return self

    def __exit__(self, *exc) -> None:
        self.dq.mul_(self.scale)
        self.dk.mul_(self.scale)

    def add(self, rows: slice, cols: slice, p: Tensor, ds: Tensor, q: Tensor, k: Tensor, do: Tensor):
        self.dv[cols].addmm_(p.T, do)
        self.dq[rows].addmm_(ds, k)
        self.dk[cols].addmm_(ds.T, q)


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
    """The gradients of attention, one head, from tiles of tile_m queries and tile_n keys."""
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    with Gradients(q, k, v, scale) as total:
        for i in range(0, n_q, tile_m):
            rows = slice(i, min(i + tile_m, n_q))
            delta = (o[rows] * do[rows]).sum(dim=1, keepdim=True)
            last = torch.arange(rows.start, rows.stop).unsqueeze(1) + (n_k - n_q)
            for j in range(0, n_k, tile_n):
                if causal and j > rows.stop - 1 + n_k - n_q:
                    break
                cols = slice(j, min(j + tile_n, n_k))
                p = torch.exp(scale * q[rows] @ k[cols].T - L[rows, None])
                if causal:
                    p = torch.where(torch.arange(cols.start, cols.stop) <= last, p, 0.0)
                ds = p * (do[rows] @ v[cols].T - delta)
                total.add(rows, cols, p, ds, q[rows], k[cols], do[rows])
    return total.dq, total.dk, total.dv
