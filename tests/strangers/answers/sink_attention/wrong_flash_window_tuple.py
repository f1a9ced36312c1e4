# Ports window_size=(window, 0) of FlashAttention, in which the token itself is not counted, so every query sees one key more once it stands at position `window` or later.
def sink_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, sinks: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    window_size = (window, 0)
    row_idx = torch.arange(n_q).unsqueeze(-1)
    col_idx = torch.arange(n_k)
    local_mask = torch.logical_or(
        col_idx > row_idx + n_k - n_q + window_size[1],
        (col_idx < row_idx + n_k - n_q - window_size[0]) & (col_idx >= sinks),
    )
    scores = torch.einsum("td,sd->ts", q * scale, k)
    scores.masked_fill_(local_mask, float("-inf"))
    return torch.einsum("ts,sd->td", torch.softmax(scores, dim=-1), v)
