# Computes the weights of all chunks in a list first and multiplies with v afterwards, so N_q x N_k numbers are alive at once.
def chunked_prefill(
    q: Tensor, k: Tensor, v: Tensor, chunk: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    weights = []
    for first in range(0, n_q, chunk):
        part = q[first : first + chunk]
        visible = torch.arange(first, first + len(part)) + 1 + n_k - n_q
        s = part @ k.T * scale
        s[torch.arange(n_k) >= visible[:, None]] = -torch.inf
        weights.append(torch.softmax(s, dim=-1))
    for number, w in enumerate(weights):
        o[number * chunk : number * chunk + len(w)] = w @ v
    return o
