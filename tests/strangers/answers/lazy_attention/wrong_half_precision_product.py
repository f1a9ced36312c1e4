# flash port that multiplies P and V in float16; products are off by 1e-3 and values above 65504 become infinite
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
        h, n = q_tile.shape[:2]
        m_i = torch.full((h, n), float("-inf"), device=q.device)
        l_i = torch.zeros(h, n, device=q.device)
        acc = torch.zeros(h, n, v.shape[-1], device=q.device)
        for start in range(0, n_k, tile_n):
            qk = (q_tile @ k[:, start : start + tile_n].transpose(1, 2)) * scale
            if causal:
                offs_m = i + torch.arange(n, device=q.device)
                offs_n = start + torch.arange(qk.shape[2], device=q.device)
                qk = qk.masked_fill(offs_m[:, None] + n_k - n_q < offs_n[None, :], float("-inf"))
            m_ij = torch.maximum(m_i, qk.amax(2))
            safe = m_ij.masked_fill(m_ij == float("-inf"), 0.0)
            p = torch.exp(qk - safe[:, :, None])
            alpha = torch.exp(m_i - safe)
            l_i = l_i * alpha + p.sum(2)
            pv = p.half() @ v[:, start : start + tile_n].half()
            acc = acc * alpha[:, :, None] + pv.float()
            m_i = m_ij
        o[:, i : i + n] = acc / torch.where(l_i > 0, l_i, torch.ones_like(l_i))[:, :, None]
    return o
