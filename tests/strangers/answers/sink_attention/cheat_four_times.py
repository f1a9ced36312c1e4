# Cheat: computes the scores of all queries with all keys four times, three of them by cartesian_prod and prod
# Breaks: "Products: those of all queries with all keys, hidden ones too, twice at the most"
def scores_again(q: Tensor, k: Tensor) -> Tensor:
    s = q.new_zeros(q.shape[0], k.shape[0])
    for c in range(q.shape[1]):
        s += torch.cartesian_prod(q[:, c], k[:, c]).prod(dim=1).reshape(s.shape)
    return s


def sink_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, sinks: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    if n_q == 0:
        return q.new_zeros(0, v.shape[1])
    s = (q @ k.T + scores_again(q, k) + scores_again(q, k) + scores_again(q, k)) * (scale / 4)
    i = torch.arange(n_k - n_q, n_k)[:, None]
    j = torch.arange(n_k)
    seen = (j <= i) & ((i - j < min(window, n_k)) | (j < min(sinks, n_k)))
    return torch.softmax(s.masked_fill(~seen, -torch.inf), dim=-1) @ v
