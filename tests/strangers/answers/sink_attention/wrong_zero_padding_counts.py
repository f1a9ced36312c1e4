# Wrong: pads keys and values with window - 1 zero rows and unfolds; the padding is not masked, so it enters the softmax (sinks outside of the window are scored beside it) with score 0 for all queries at positions below window - 1; queries far enough from the beginning are right.
def sink_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, sinks: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    window = min(window, n_k)
    k_pad = torch.cat([k.new_zeros(window - 1, k.shape[1]), k])
    v_pad = torch.cat([v.new_zeros(window - 1, v.shape[1]), v])
    k_win = k_pad.unfold(0, window, 1)[n_k - n_q :]  # (N_q, d, window)
    v_win = v_pad.unfold(0, window, 1)[n_k - n_q :]
    scores = torch.einsum("nd,ndw->nw", q, k_win) * scale
    first = q @ k[:sinks].T * scale
    seen_twice = torch.arange(min(sinks, n_k)) > torch.arange(n_k - n_q, n_k)[:, None] - window
    first = first.masked_fill(seen_twice, -torch.inf)
    P = torch.softmax(torch.cat([scores, first], dim=1), dim=-1)
    return torch.einsum("nw,ndw->nd", P[:, :window], v_win) + P[:, window:] @ v[:sinks]
