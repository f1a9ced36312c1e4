# Wrong: each chunk is scored against all keys of the prefix and masked, so memory is chunk x N_k and grows with N_k instead of with sinks + window + chunk; values are right.
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
    past = n_k - n_q
    for i in range(0, n_q, chunk):
        n = min(chunk, n_q - i)
        hi = past + i + n
        row = torch.arange(past + i, hi)[:, None]
        col = torch.arange(hi)[None, :]
        allowed = (col <= row) & ((row - col < window) | (col < sinks))
        s = torch.where(allowed, scale * (q[i : i + n] @ k[:hi].T), -torch.inf)
        o[i : i + n] = torch.softmax(s, dim=-1) @ v[:hi]
    return o
