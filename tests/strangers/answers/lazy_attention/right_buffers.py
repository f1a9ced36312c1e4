# keys visited from the last tile to the first, in-place buffers, baddbmm, chunked views by torch.split
import torch


def lazy_attention(q, k, v, tile_m, tile_n, causal=False, scale=None):
    h, n_q, d = q.shape
    n_k, d_v = k.shape[1], v.shape[2]
    if scale is None:
        scale = float(d) ** -0.5
    o = q.new_empty(h, n_q, d_v)
    key_tiles = list(zip(range(0, n_k, tile_n), k.split(tile_n, 1), v.split(tile_n, 1)))
    for first, q_tile, o_tile in zip(range(0, n_q, tile_m), q.split(tile_m, 1), o.split(tile_m, 1)):
        acc = o_tile.zero_()  # the output's own rows are the accumulator
        m = torch.full_like(acc[..., 0], -torch.inf)
        l = torch.zeros_like(m)
        last = torch.arange(first, first + q_tile.shape[1]) + (n_k - n_q)
        for start, k_tile, v_tile in reversed(key_tiles):
            s = torch.bmm(q_tile, k_tile.mT)
            s *= scale
            if causal:
                s.masked_fill_(last[:, None] < torch.arange(start, start + k_tile.shape[1]), -torch.inf)
            new = torch.maximum(m, s.amax(2))
            shift = torch.nan_to_num(new, neginf=0.0)
            a = m.sub_(shift).exp_()
            s.sub_(shift[..., None]).exp_()
            l.mul_(a).add_(s.sum(2))
            acc.mul_(a[..., None])
            acc += s @ v_tile
            m = new
        acc /= l.masked_fill(l == 0, 1)[..., None]
    return o
