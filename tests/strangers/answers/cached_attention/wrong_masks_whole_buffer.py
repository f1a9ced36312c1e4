# Scores over the whole capacity and a mask for everything behind: weight 0 times NaN is NaN if the free slots hold NaN (and rows of capacity instead of length numbers).
def cached_attention(
    q: Tensor, k_cache: Tensor, v_cache: Tensor, length: int, scale: float | None = None
) -> Tensor:
    n, d = q.shape[2:]
    scale = d**-0.5 if scale is None else scale
    pos = torch.arange(k_cache.shape[2])
    query_pos = torch.arange(n) + (length - n)
    visible = pos[None, :] <= query_pos[:, None]
    scores = torch.einsum("bhnd,bhcd->bhnc", q, k_cache) * scale
    scores = torch.where(visible, scores, -torch.inf)
    return torch.einsum("bhnc,bhcd->bhnd", scores.softmax(-1), v_cache)
