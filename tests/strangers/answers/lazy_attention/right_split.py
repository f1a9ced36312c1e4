# Right: torch.split on both sides, zip and enumerate, outputs collected and joined with torch.cat.
import torch


def lazy_attention(q, k, v, tile_m, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    offset = n_k - n_q

    def one_tile(first, q_tile):
        heads, rows = q_tile.shape[:2]
        m = torch.full((heads, rows), -torch.inf)
        l = torch.zeros(heads, rows)
        acc = torch.zeros(heads, rows, v.shape[-1])
        keys = zip(k.split(tile_n, dim=1), v.split(tile_n, dim=1))
        for number, (k_tile, v_tile) in enumerate(keys):
            s = scale * torch.bmm(q_tile, k_tile.transpose(1, 2))
            if causal:
                allowed = torch.ones(s.shape[1:], dtype=torch.bool)
                allowed = allowed.tril(first + offset - number * tile_n)
                s = torch.where(allowed, s, -torch.inf)
            m_new = torch.maximum(m, s.max(dim=-1).values)
            shift = m_new.nan_to_num(neginf=0.0)
            alpha = (m - shift).exp()
            p = (s - shift.unsqueeze(-1)).exp()
            l = torch.addcmul(p.sum(-1), alpha, l)
            acc = acc * alpha.unsqueeze(-1) + torch.bmm(p, v_tile)
            m = m_new
        return acc / l.clamp(min=1e-30).unsqueeze(-1)

    return torch.cat([one_tile(t * tile_m, x) for t, x in enumerate(q.split(tile_m, 1))], dim=1)
