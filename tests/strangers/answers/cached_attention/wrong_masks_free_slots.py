# Wrong: static-cache style, scores all capacity slots, masks those behind length with -inf and then multiplies all of v_cache, so a NaN or inf in a free slot of v makes the output NaN (0 * NaN); right with finite leftovers.
def cached_attention(
    q: Tensor, k_cache: Tensor, v_cache: Tensor, length: int, scale: float | None = None
) -> Tensor:
    n, d = q.shape[2:]
    scale = d**-0.5 if scale is None else scale
    capacity = k_cache.size(2)
    cache_position = torch.arange(length - n, length, device=q.device)
    kv_idx = torch.arange(capacity, device=q.device)
    causal_mask = kv_idx[None, :] <= cache_position[:, None]
    attn_weights = torch.matmul(q, k_cache.transpose(2, 3)) * scale
    attn_weights = attn_weights.masked_fill(~causal_mask[None, None], float("-inf"))
    attn_weights = torch.softmax(attn_weights, dim=-1)
    return torch.matmul(attn_weights, v_cache)
