# Stacks the heads of a group head by head, but masks row r as position r // g, the other packing: wrong for causal with g > 1 and N_q > 1.
def grouped_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    heads, kv_heads, n_q, n_k = q.shape[1], k.shape[1], q.shape[2], k.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    B, g, d = q.shape[0], heads // kv_heads, q.shape[-1]
    rows = q.reshape(B, kv_heads, g * n_q, d)
    s = torch.matmul(rows, k.transpose(-1, -2)) * scale
    if causal:
        pos = torch.arange(g * n_q) // g
        s = s.masked_fill(torch.arange(n_k) > pos[:, None] + n_k - n_q, -torch.inf)
    p = torch.nan_to_num(torch.softmax(s, dim=-1), nan=0.0)
    return torch.matmul(p, v).reshape(B, heads, n_q, d)
