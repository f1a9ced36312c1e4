# Cheat: the positions of all keys stand in one table that is made beforehand, and each chunk takes views of it: it grows with N_k, thin as it is.
# Breaks: "Beside the output: a few matrices of chunk x M numbers and a copy of M keys and values; nothing grows with N_k."
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
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    table = torch.arange(n_k, dtype=torch.int32)
    window, sinks = min(window, n_k), min(sinks, n_k)
    for begin in range(0, n_q, chunk):
        end = min(begin + chunk, n_q)
        p0, p1 = begin + n_k - n_q, end + n_k - n_q
        old = max(p0 - window + 1, 0)
        s_end = min(sinks, old)
        keys = torch.cat((k[:s_end], k[old:p1]))
        values = torch.cat((v[:s_end], v[old:p1]))
        j = torch.cat((table[:s_end], table[old:p1]))
        i = table[p0:p1, None]
        seen = (j <= i) & ((j > i - window) | (j < sinks))
        s = ((q[begin:end] * scale) @ keys.T).masked_fill_(~seen, -torch.inf)
        o[begin:end] = torch.softmax(s, dim=-1) @ values
    return o
