# one sequence at a time, softmax and logsumexp over views of what is really there
def decode_shard(
    q: Tensor, k: Tensor, v: Tensor, lengths: Tensor, scale: float | None = None
) -> tuple[Tensor, Tensor]:
    batch, heads, d = q.shape
    kv_heads, d_v = k.shape[1], v.shape[3]
    o = torch.zeros(batch, heads, d_v, device=q.device)
    L = torch.full((batch, heads), -torch.inf, device=q.device)
    factor = d**-0.5 if scale is None else scale
    for b, n in enumerate(lengths.tolist()):
        if not n:
            continue
        queries = q[b].float().reshape(kv_heads, heads // kv_heads, d)
        s = torch.bmm(queries, k[b, :, :n].float().mT).mul_(factor)
        L[b] = torch.logsumexp(s, dim=-1).flatten()
        o[b] = torch.bmm(s.softmax(dim=-1), v[b, :, :n].float()).flatten(0, 1)
    return o, L
