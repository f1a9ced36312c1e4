# Ports the reference code of PyTorch's documentation, whose causal mask is aligned at the top left (tril with diagonal 0): wrong for causal inputs with N_q different from N_k.
def naive_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    attn_bias = torch.zeros(n_q, n_k, dtype=q.dtype, device=q.device)
    if causal:
        temp_mask = torch.ones(n_q, n_k, dtype=torch.bool, device=q.device).tril(diagonal=0)
        attn_bias.masked_fill_(temp_mask.logical_not(), float("-inf"))
    attn_weight = q @ k.transpose(-2, -1) * scale
    attn_weight += attn_bias
    attn_weight = torch.softmax(attn_weight, dim=-1)
    return attn_weight @ v
