# Cheat: keys and values are cast to float64 and multiplied and summed there: a copy twice as wide as the one in float32, which is just what "twice" allows, and not the arithmetic that is asked for.
# Breaks: "both float32, and summed in float32" (and of a float32 cache, which needs no cast, a full copy is made).
def decode_shard(
    q: Tensor, k: Tensor, v: Tensor, lengths: Tensor, scale: float | None = None
) -> tuple[Tensor, Tensor]:
    batch, heads, d = q.shape
    kv_heads, d_v = k.shape[1], v.shape[3]
    o = torch.zeros(batch, heads, d_v, device=q.device)
    L = torch.full((batch, heads), -torch.inf, device=q.device)
    scale = d**-0.5 if scale is None else scale
    for b, n in enumerate(lengths.tolist()):
        if n:
            rows = q[b].double().unflatten(0, (kv_heads, -1)) * scale
            s = rows @ k[b, :, :n].double().transpose(1, 2)
            lse = torch.logsumexp(s, dim=-1, keepdim=True)
            o[b] = (torch.exp(s - lse) @ v[b, :, :n].double()).flatten(0, 1)
            L[b] = lse.flatten()
    return o, L
