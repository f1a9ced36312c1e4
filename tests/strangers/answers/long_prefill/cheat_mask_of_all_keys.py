# Cheat: finds the keys of each chunk by a mask over all N_k keys, made anew for each chunk
# Breaks: "nothing grows with N_k"
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
    window, sinks = min(window, n_k), min(sinks, n_k)
    for begin in range(0, n_q, chunk):
        end = min(begin + chunk, n_q)
        first, last = begin + n_k - n_q, end + n_k - n_q
        wanted = torch.zeros(n_k, dtype=torch.bool)  # a mark for every key that there is
        wanted[: min(sinks, last)] = True
        wanted[max(0, first - window + 1) : last] = True
        j = wanted.nonzero()[:, 0]
        i = torch.arange(first, last)[:, None]
        s = q[begin:end] @ k[j].T * scale
        seen = (j <= i) & ((i - j < window) | (j < sinks))
        o[begin:end] = torch.softmax(s.masked_fill_(~seen, -torch.inf), dim=-1) @ v[j]
    return o
