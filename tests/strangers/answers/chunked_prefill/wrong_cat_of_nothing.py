# Collects the chunks in a list and concatenates: for N_q = 0 torch.cat of an empty list raises.
def chunked_prefill(
    q: Tensor, k: Tensor, v: Tensor, chunk: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    pieces, p0 = [], n_k - n_q
    while p0 < n_k:
        p1 = min(n_k, p0 + chunk)
        rows = q[p0 - n_k + n_q : p1 - n_k + n_q]
        mask = torch.full((p1 - p0, p1), -torch.inf).triu(p0 + 1)
        pieces.append(torch.softmax(rows @ k[:p1].T * scale + mask, dim=-1) @ v[:p1])
        p0 = p1
    return torch.cat(pieces)
