# a list of key numbers for each chunk, its own mask by true positions and its own softmax; keeps the contract
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
    for i in range(0, n_q, chunk):
        stop = min(i + chunk, n_q)
        position = torch.arange(i, stop, device=q.device) + (n_k - n_q)
        low, high = max(i + n_k - n_q - window + 1, 0), stop + n_k - n_q
        numbers = torch.cat(
            [
                torch.arange(0, min(sinks, low), device=q.device),
                torch.arange(low, high, device=q.device),
            ]
        )
        age = position[:, None] - numbers[None, :]
        seen = (age >= 0) & ((age < min(window, n_k)) | (numbers < min(sinks, n_k))[None, :])
        s = (q[i:stop] @ k[numbers].T) * scale
        s = torch.where(seen, s, torch.full_like(s, -torch.inf))
        o[i:stop] = torch.softmax(s, dim=1) @ v[numbers]
    return o
