# Clamps the diagonal offset at 0 so that "every query sees at least itself": with more queries than keys and causal the early queries see keys that they must not (they should give zeros).
def naive_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    scores = torch.einsum("hid,hjd->hij", q, k).mul_(scale)
    if causal:
        past = max(n_k - n_q, 0)
        keep = torch.arange(n_k)[None, :] <= past + torch.arange(n_q)[:, None]
        scores.masked_fill_(~keep.to(q.device), float("-inf"))
    return torch.einsum("hij,hje->hie", scores.softmax(-1), v)
