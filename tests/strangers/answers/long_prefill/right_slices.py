# Right: the keys of a chunk by a helper that returns views where it can, sink_attention does the rest.
import torch


def _visible(x, sinks, oldest, end):
    """The first `sinks` rows and those from `oldest` to `end` - 1, no row twice."""
    if oldest <= sinks:
        return x[:end]
    return torch.cat((x[:sinks], x[oldest:end]), dim=0)


def long_prefill(q, k, v, chunk, window, sinks=0, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    o = q.new_zeros(n_q, v.shape[1])
    for first in range(0, n_q, chunk):
        last = min(first + chunk, n_q)
        position, end = n_k - n_q + first, n_k - n_q + last
        oldest = max(position - window + 1, 0)
        keys, values = (_visible(x, sinks, oldest, end) for x in (k, v))
        o[first:last] = sink_attention(q[first:last], keys, values, window, sinks, scale)
    return o
