# Wrong: finds a chunk's keys by a chunk x N_k mask over all positions; values are right, but masks and index tables grow with N_k, where nothing may (long sequence, small window).
def long_prefill(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    chunk: int,
    window: int,
    sinks: int = 0,
    scale: float | None = None,
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    o = q.new_zeros(n_q, v.shape[1])
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    key = torch.arange(n_k)
    for c in range(-(-n_q // chunk)):
        rows = slice(c * chunk, min((c + 1) * chunk, n_q))
        pos = torch.arange(n_k - n_q + rows.start, n_k - n_q + rows.stop)[:, None]
        seen = (key <= pos) & ((key > pos - window) | (key < sinks))
        needed = seen.any(dim=0)
        logits = scale * q[rows] @ k[needed].T
        logits[~seen[:, needed]] = -torch.inf
        o[rows] = logits.softmax(dim=1) @ v[needed]
    return o
