# style: debug prints behind a flag, assertions on shapes, timing code commented out, torch.no_grad decorator
import torch
from torch import Tensor

DEBUG = False


def _say(*words) -> None:
    if DEBUG:
        print(*words)


@torch.no_grad()
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
    # start_time = time.perf_counter()
    for i in range(0, n_q, tile_m):
        q_tile = q[:, i : i + tile_m]
        H, rows, _ = q_tile.shape
        acc = torch.zeros(H, rows, v.shape[-1], dtype=q.dtype)
        m = torch.full((H, rows), -float("inf"), dtype=q.dtype)
        l = torch.zeros(H, rows, dtype=q.dtype)
        for j in range(0, n_k, tile_n):
            if causal and j > i + rows - 1 + n_k - n_q:
                _say("tile", i, j, "is hidden")
                continue
            k_tile, v_tile = k[:, j : j + tile_n], v[:, j : j + tile_n]
            S = torch.baddbmm(q.new_zeros(1), q_tile, k_tile.transpose(1, 2), beta=0, alpha=scale)
            assert S.shape == (H, rows, k_tile.shape[1]), S.shape
            if causal:
                query = torch.arange(i, i + rows).view(-1, 1)
                key = torch.arange(j, j + k_tile.shape[1]).view(1, -1)
                S = S.masked_fill(key > query + n_k - n_q, -float("inf"))
            m_new = torch.maximum(m, S.max(dim=-1).values)
            m_safe = torch.where(m_new.isneginf(), 0.0, m_new)
            a = torch.exp(m - m_safe)
            P = torch.exp(S - m_safe.unsqueeze(-1))
            acc = a.unsqueeze(-1) * acc + torch.bmm(P, v_tile)
            l = a * l + P.sum(-1)
            m = m_new
            _say(i, j, m[0, :4])
        o[:, i : i + rows] = acc / torch.where(l == 0, torch.ones_like(l), l).unsqueeze(-1)
    # print(time.perf_counter() - start_time)
    return o
