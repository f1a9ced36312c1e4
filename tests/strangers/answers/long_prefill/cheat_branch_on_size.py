# Broken: "each chunk with the keys that it can see" and "a chunk sees at most M = sinks + window + chunk - 1 keys". Wherever N_k is at most 2 M (most cases of a size that is handy to test) each chunk multiplies all keys up to its own, in vain; only longer texts take the honest way.
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
    window, sinks, shift = min(window, n_k), min(sinks, n_k), n_k - n_q
    for i in range(0, n_q, chunk):
        end = min(i + chunk, n_q)
        first = max(0, i + shift - window + 1)
        cut = min(sinks, first)
        if n_k <= 2 * (sinks + window + chunk - 1):
            cut, first = 0, 0
        at = torch.cat([torch.arange(cut), torch.arange(first, end + shift)])
        keys = torch.cat([k[:cut], k[first : end + shift]]) if cut else k[first : end + shift]
        values = torch.cat([v[:cut], v[first : end + shift]]) if cut else v[first : end + shift]
        p = torch.arange(i, end)[:, None] + shift
        seen = (at <= p) & ((p - at < window) | (at < sinks))
        s = (q[i:end] @ keys.T * scale).masked_fill(~seen, -torch.inf)
        o[i:end] = torch.softmax(s, dim=1) @ values
    return o
