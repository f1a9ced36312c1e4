# an online softmax over pieces of 64 keys of a sequence, in base 2 until the end
def decode_shard(
    q: Tensor, k: Tensor, v: Tensor, lengths: Tensor, scale: float | None = None
) -> tuple[Tensor, Tensor]:
    """Attention of one new token of each sequence with the keys that one rank holds.

    q: (B, H, d), k: (B, H_kv, N, d), v: (B, H_kv, N, d_v) float32 or float16, H a multiple of
    H_kv; query head h reads KV head h // (H / H_kv). d_v may differ from d.
    lengths: (B,) int64, from 0 to N: how many keys of each sequence lie here. What lies behind
    them means nothing and may be NaN.
    scale: factor of the scores, of any sign or 0; 1/sqrt(d) if None.
    Returns o (B, H, d_v) and the log-sum-exp L (B, H), both float32, and summed in float32;
    0 and -inf for a sequence that has no key here.
    Memory: K and V in float32 at most twice, and a few times the scores; K and V are not copied
    for each query head.

        S = scale * q k^T        L = log sum_j exp(S_j)        o = sum_j exp(S_j - L) v_j

    Forbidden: scaled_dot_product. It stays within torch and Python. Arguments stay as they
    are, and results are new memory.
    """
    batch, heads, d = q.shape
    kv_heads, d_v = k.shape[1], v.shape[3]
    o = torch.zeros(batch, heads, d_v, device=q.device)
    L = torch.full((batch, heads), -torch.inf, device=q.device)
    factor = (d**-0.5 if scale is None else scale) * 1.4426950408889634
    group = heads // kv_heads
    for b in range(batch):
        n = int(lengths[b])
        x = q[b].to(torch.float32).unflatten(0, (kv_heads, group)) * factor
        m = torch.full((kv_heads, group), -torch.inf, device=q.device)
        l = torch.zeros(kv_heads, group, device=q.device)
        acc = torch.zeros(kv_heads, group, d_v, device=q.device)
        for begin in range(0, n, 64):
            piece = slice(begin, min(begin + 64, n))
            s = torch.einsum("hgd,hjd->hgj", x, k[b, :, piece].to(torch.float32))
            top = torch.maximum(m, s.amax(-1))
            p, fade = torch.exp2(s - top[..., None]), torch.exp2(m - top)
            l = l * fade + p.sum(-1)
            acc = acc * fade[..., None] + torch.einsum("hgj,hjd->hgd", p, v[b, :, piece].to(torch.float32))
            m = top
        if n:
            o[b] = (acc / l[..., None]).flatten(0, 1)
            L[b] = ((m + torch.log2(l)) * 0.6931471805599453).flatten()
    return o, L
