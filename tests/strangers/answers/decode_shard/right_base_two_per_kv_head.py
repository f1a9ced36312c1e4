# scalar style: sequence by sequence and KV head by KV head, base-2 exponentials, one slice in float32 at a time; keeps the contract
def decode_shard(
    q: Tensor, k: Tensor, v: Tensor, lengths: Tensor, scale: float | None = None
) -> tuple[Tensor, Tensor]:
    batch, heads, d = q.shape
    kv_heads, d_v = k.shape[1], v.shape[3]
    o = torch.zeros(batch, heads, d_v, device=q.device)
    L = torch.full((batch, heads), -torch.inf, device=q.device)
    group = heads // kv_heads
    factor = (d**-0.5 if scale is None else scale) * 1.4426950408889634
    for b, n in enumerate(lengths.tolist()):
        if n == 0:
            continue
        for h in range(kv_heads):
            mine = slice(h * group, (h + 1) * group)
            t = torch.mv if group == 1 else None
            keys, values = k[b, h, :n].float(), v[b, h, :n].float()
            if t is not None:
                s = t(keys, q[b, h].float())[None, :] * factor
            else:
                s = torch.mm(q[b, mine].float(), keys.T) * factor
            top = s.max(dim=1, keepdim=True).values
            weight = torch.exp2(s - top)
            total = weight.sum(dim=1, keepdim=True)
            o[b, mine] = torch.mm(weight, values) / total
            L[b, mine] = ((top + torch.log2(total)) * 0.6931471805599453)[:, 0]
    return o, L
