# right: in powers of 2, in place on the tile of scores, baddbmm for the accumulator; masks only tiles that the diagonal cuts
import math


def _hide(S, i, j, ahead):
    """Write -inf where key j + column lies behind query i + row."""
    last = torch.arange(i + ahead, i + ahead + S.shape[1], device=S.device)
    keys = torch.arange(j, j + S.shape[2], device=S.device)
    S.masked_fill_(keys > last.unsqueeze(1), -torch.inf)


def lazy_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    tile_m: int,
    tile_n: int,
    causal: bool = False,
    scale: float | None = None,
) -> Tensor:
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_empty(q.shape[0], n_q, v.shape[-1])
    for i in range(0, n_q, tile_m):
        q_tile = q[:, i : i + tile_m]
        heads, height = q_tile.shape[:2]
        acc = q.new_zeros(heads, height, v.shape[-1])
        m = q.new_full((heads, height, 1), -torch.inf)
        l = q.new_zeros(heads, height, 1)
        for k_tile, v_tile, j in zip(
            k.split(tile_n, dim=1), v.split(tile_n, dim=1), range(0, n_k, tile_n)
        ):
            S = torch.bmm(q_tile, k_tile.transpose(1, 2)).mul_(scale * math.log2(math.e))
            if causal and j + S.shape[2] - 1 > i + n_k - n_q:
                _hide(S, i, j, n_k - n_q)
            top = torch.maximum(m, S.amax(dim=2, keepdim=True))
            base = top.masked_fill(top.isneginf(), 0.0)
            S.sub_(base).exp2_()
            a = torch.exp2(m - base)
            l = l.mul_(a).add_(S.sum(dim=2, keepdim=True))
            acc = torch.baddbmm(acc.mul_(a), S, v_tile)
            m = top
        o[:, i : i + tile_m] = torch.where(l > 0, acc / l, torch.zeros_like(acc))
    return o
