# Wrong: static-shape port (JAX, StaticCache): scores over the whole capacity and nan_to_num copies of both buffers; values are right, but the cache is copied and the memory grows with capacity instead of length.
def cached_attention(
    q: Tensor, k_cache: Tensor, v_cache: Tensor, length: int, scale: float | None = None
) -> Tensor:
    n, d = q.shape[2:]
    scale = d**-0.5 if scale is None else scale
    slot = torch.arange(k_cache.shape[2])
    position = torch.arange(n)[:, None] + (length - n)
    live = (slot < length)[:, None]
    keys = torch.where(live, k_cache, 0.0)
    values = torch.where(live, v_cache, 0.0)
    logits = torch.einsum("bhid,bhjd->bhij", q, keys) * scale
    logits = torch.where(slot[None, :] <= position, logits, -torch.inf)
    return torch.einsum("bhij,bhjd->bhid", torch.softmax(logits, -1), values)
