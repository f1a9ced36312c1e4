# Attends over all capacity slots after nan_to_num on both buffers, masking the free ones: copies the whole cache and makes scores of capacity width, beyond the memory allowed.
def cached_attention(
    q: Tensor, k_cache: Tensor, v_cache: Tensor, length: int, scale: float | None = None
) -> Tensor:
    n, d = q.shape[2:]
    scale = d**-0.5 if scale is None else scale
    K = torch.nan_to_num(k_cache, nan=0.0, posinf=0.0, neginf=0.0)
    V = torch.nan_to_num(v_cache, nan=0.0, posinf=0.0, neginf=0.0)
    slot = torch.arange(K.shape[2])
    position = torch.arange(length - n, length).view(-1, 1)
    S = torch.einsum("bhid,bhjd->bhij", q, K) * scale
    S = S.masked_fill(slot > position, float("-inf"))
    return torch.einsum("bhij,bhje->bhie", S.softmax(dim=-1), V)
