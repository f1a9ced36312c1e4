# right: each sequence by itself, only the rows that are there; heads of a group side by side as one matrix
def decode_shard(
    q: Tensor, k: Tensor, v: Tensor, lengths: Tensor, scale: float | None = None
) -> tuple[Tensor, Tensor]:
    """Attention of one new token of each sequence with this rank's keys."""
    batch, heads, d = q.shape
    kv_heads, d_v = k.shape[1], v.shape[3]
    factor = d**-0.5 if scale is None else scale
    o = torch.zeros(batch, heads, d_v, device=q.device)
    L = torch.full((batch, heads), -torch.inf, device=q.device)
    for b, n in enumerate(lengths.tolist()):
        if n == 0:
            continue
        queries = q[b].float().reshape(kv_heads, heads // kv_heads, d)
        S = torch.einsum("hgc,hnc->hgn", queries, k[b, :, :n].float()) * factor
        top = S.amax(dim=2, keepdim=True)
        P = (S - top).exp()
        total = P.sum(dim=2, keepdim=True)
        o[b] = torch.einsum("hgn,hnc->hgc", P / total, v[b, :, :n].float()).reshape(heads, d_v)
        L[b] = (top + total.log()).reshape(heads)
    return o, L
