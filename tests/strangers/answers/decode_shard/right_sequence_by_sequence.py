# a loop over sequences and KV heads on just the keys that lie there, with exp and a sum
def decode_shard(
    q: Tensor, k: Tensor, v: Tensor, lengths: Tensor, scale: float | None = None
) -> tuple[Tensor, Tensor]:
    batch, heads, d = q.shape
    kv_heads, d_v = k.shape[1], v.shape[3]
    factor = 1 / d**0.5 if scale is None else scale
    o = torch.zeros(batch, heads, d_v, device=q.device)
    L = torch.full((batch, heads), -torch.inf, device=q.device)
    for b, n in enumerate(lengths.tolist()):
        if n == 0:
            continue
        for head, group in enumerate(torch.arange(heads, device=q.device).chunk(kv_heads)):
            s = torch.einsum("gd,nd->gn", q[b, group].float(), k[b, head, :n].float()) * factor
            top = s.amax(dim=1, keepdim=True)
            e = torch.exp(s - top)
            total = e.sum(dim=1, keepdim=True)
            o[b, group] = (e @ v[b, head, :n].float()) / total
            L[b, group] = (top + torch.log(total))[:, 0]
    return o, L
