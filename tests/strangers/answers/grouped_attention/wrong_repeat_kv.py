# Writes every KV head out g times (Hugging Face's repeat_kv): right values, but copies of g times the size of k and v for g > 1.
def grouped_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    heads, kv_heads, n_q, n_k = q.shape[1], k.shape[1], q.shape[2], k.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale

    def repeat_kv(x, n_rep):
        b, hkv, n, d = x.shape
        return x[:, :, None].expand(b, hkv, n_rep, n, d).reshape(b, hkv * n_rep, n, d)

    k, v = repeat_kv(k, heads // kv_heads), repeat_kv(v, heads // kv_heads)
    s = torch.matmul(q, k.transpose(2, 3)) * scale
    if causal:
        s = s + torch.full((n_q, n_k), -torch.inf).triu(n_k - n_q + 1)
    return torch.nan_to_num(torch.softmax(s, dim=-1)) @ v
