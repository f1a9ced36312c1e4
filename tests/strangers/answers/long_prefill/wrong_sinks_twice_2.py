# Wrong: puts the sinks in front of the window also where the window reaches into them, so that these keys count twice.
# Breaks: "sees the keys at positions j <= p with j > p - window or j < sinks, each once."
import torch
from torch import Tensor


def long_prefill(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    chunk: int,
    window: int,
    sinks: int = 0,
    scale: float | None = None,
) -> Tensor:
    """`sink_attention`, `chunk` queries at a time, each chunk with the keys that it can see.

    q: (N_q, d), k: (N_k, d), v: (N_k, d_v) float32, N_q <= N_k: the queries are the last N_q of
    the N_k tokens.
    chunk: the most consecutive queries at a time.
    window, sinks, scale: as in `sink_attention`.
    Returns o (N_q, d_v), same dtype.
    Memory: a chunk sees at most M = sinks + window + chunk - 1 keys. Beside the output: a few
    matrices of chunk x M numbers and a copy of M keys and values; nothing grows with N_k.
    Operations and products: as in `chunked_prefill`.
    Forbidden: scaled_dot_product. It stays within torch and Python, without tolist of
    floating-point numbers. Arguments stay as they are, and results are new memory.
    """
    n_q, n_k = q.shape[0], k.shape[0]
    o = q.new_zeros(n_q, v.shape[1])
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    window, sinks = min(window, n_k), min(sinks, n_k)
    for i in range(0, n_q, chunk):
        rows = q[i : i + chunk]
        first = i + n_k - n_q
        end = first + len(rows)
        begin = max(0, first - window + 1)
        near = torch.arange(begin, end)
        p = torch.arange(first, end)[:, None]
        far = torch.arange(min(sinks, end))
        seen = torch.cat([far <= p, (near <= p) & (near > p - window)], dim=1)
        keys = torch.cat([k[: len(far)], k[begin:end]])
        values = torch.cat([v[: len(far)], v[begin:end]])
        s = (scale * rows @ keys.T).masked_fill(~seen, -torch.inf)
        o[i : i + chunk] = torch.softmax(s, dim=1) @ values
    return o
