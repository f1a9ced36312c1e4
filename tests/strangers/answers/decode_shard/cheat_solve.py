# Cheat: lets every query meet the keys of all KV heads, as the solution of a triangular system, and picks its own
# Breaks: "Each score is computed once, an eighth of them twice at the most, and none with another KV head."
def decode_shard(
    q: Tensor, k: Tensor, v: Tensor, lengths: Tensor, scale: float | None = None
) -> tuple[Tensor, Tensor]:
    batch, heads, d = q.shape
    kv_heads, d_v = k.shape[1], v.shape[3]
    scale = d**-0.5 if scale is None else scale
    o = torch.zeros(batch, heads, d_v, device=q.device)
    L = torch.full((batch, heads), -torch.inf, device=q.device)
    group = heads // kv_heads
    own = torch.arange(heads, device=q.device) // group
    for b, n in enumerate(lengths.tolist()):
        if n == 0:
            continue
        s = torch.empty(heads, n, device=q.device)
        for j in range(0, n, 4):
            keys = k[b, :, j : min(j + 4, n)].float()  # (H_kv, m, d)
            m = keys.shape[1]
            system = torch.eye(d + kv_heads * m, device=q.device)
            system[d:, :d] = keys.flatten(0, 1)
            right = torch.zeros(d + kv_heads * m, heads, device=q.device)
            right[:d] = q[b].float().T
            # x = q above, and 0 - K q below
            x = torch.linalg.solve_triangular(system, right, upper=False, unitriangular=True)
            met = x[d:].unflatten(0, (kv_heads, m))  # all KV heads with all query heads
            s[:, j : j + m] = -met.permute(2, 0, 1)[torch.arange(heads), own]
        s *= scale
        L[b] = torch.logsumexp(s, dim=-1)
        p = torch.exp(s - L[b][:, None]).unflatten(0, (kv_heads, group))
        o[b] = (p @ v[b, :, :n].float()).flatten(0, 1)
    return o, L
