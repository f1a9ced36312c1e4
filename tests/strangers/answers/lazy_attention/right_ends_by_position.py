# hidden tiles are skipped, each tile's last key from the last query; the sums side by side in one tensor
def lazy_attention(q, k, v, tile_m, tile_n, causal=False, scale=None):
    h, n_q, d = q.shape
    n_k, d_v = v.shape[1:]
    factor = d**-0.5 if scale is None else scale
    o = q.new_zeros(h, n_q, d_v)
    for top in range(0, n_q, tile_m):
        rows = range(top, min(top + tile_m, n_q))
        end = max(0, min(n_k, rows[-1] + 1 + n_k - n_q)) if causal else n_k
        sums = q.new_zeros(h, len(rows), d_v + 1)
        m = q.new_full((h, len(rows), 1), -torch.inf)
        for left in range(0, end, tile_n):
            kt, vt = k[:, left : left + tile_n], v[:, left : left + tile_n]
            s = torch.baddbmm(q.new_zeros(1, 1, 1), q[:, rows[0] : rows[-1] + 1], kt.transpose(1, 2), alpha=factor)
            if causal:
                ahead = torch.arange(left, left + kt.shape[1]) - torch.arange(rows[0], rows[-1] + 1)[:, None]
                s.masked_fill_(ahead > n_k - n_q, -torch.inf)
            new = torch.maximum(m, s.amax(2, keepdim=True))
            ref = torch.nan_to_num(new, neginf=0)
            p = (s - ref).exp_()
            sums *= (m - ref).exp()
            sums[..., :d_v] += p @ vt
            sums[..., d_v:] += p.sum(2, keepdim=True)
            m = new
        o[:, rows[0] : rows[-1] + 1] = sums[..., :d_v] / sums[..., d_v:].clamp(min=torch.finfo(q.dtype).tiny)
    return o
