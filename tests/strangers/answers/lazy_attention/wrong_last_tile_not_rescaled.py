# Wrong: the last tile of keys adds to the sums without rescaling them, as if the maximum could not rise there any more.
def lazy_attention(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, causal: bool = False,
    scale: float | None = None,
) -> Tensor:
    (heads, n_q, _), n_k, d_v = q.shape, k.shape[1], v.shape[-1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(heads, n_q, d_v)
    m = q.new_empty(heads, tile_m, 1)
    l = q.new_empty(heads, tile_m, 1)
    for i in range(0, n_q, tile_m):
        rows = q[:, i : i + tile_m]
        n = rows.shape[1]
        acc = o[:, i : i + tile_m]
        top, total = m[:, :n].fill_(-torch.inf), l[:, :n].zero_()
        for j in range(0, n_k, tile_n):
            key, value = k[:, j : j + tile_n], v[:, j : j + tile_n]
            s = torch.bmm(rows, key.transpose(1, 2)).mul_(scale)
            if causal:
                seen = torch.ones(n, key.shape[1], dtype=torch.bool).tril_(i - j + n_k - n_q)
                s.masked_fill_(~seen, -torch.inf)
            new = torch.maximum(top, s.amax(2, keepdim=True))
            base = new.clamp(min=torch.finfo(q.dtype).min)
            s.sub_(base).exp_()
            fade = top.sub(base).exp_() if j == 0 or j + tile_n < n_k else torch.ones_like(top)
            total.mul_(fade).add_(s.sum(2, keepdim=True))
            acc.mul_(fade).add_(torch.bmm(s, value))
            top.copy_(new)
        acc.div_(total.clamp(min=torch.finfo(q.dtype).tiny))
    return o
