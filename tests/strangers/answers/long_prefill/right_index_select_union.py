# Right: each chunk's keys by slices, concatenated only if the sinks lie apart; match on a tuple of bools
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
    """`sink_attention`, `chunk` queries at a time, each chunk with the keys that it can see."""
    n_q, n_k = q.shape[0], k.shape[0]
    o = q.new_zeros(n_q, v.shape[1])
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    window, sinks = min(window, n_k), min(sinks, n_k)
    for i in range(0, n_q, chunk):
        queries = q[i : i + chunk]
        begin = i + n_k - n_q
        end = begin + len(queries)
        low = max(begin - window + 1, 0)
        head = min(sinks, low)
        match head:
            case 0:
                keys, values, j = k[low:end], v[low:end], torch.arange(low, end)
            case _:
                keys = torch.cat((k[:head], k[low:end]))
                values = torch.cat((v[:head], v[low:end]))
                j = torch.cat((torch.arange(head), torch.arange(low, end)))
        p = torch.arange(begin, end)[:, None]
        s = (queries @ keys.T).mul_(scale)
        s.masked_fill_(~((j <= p) & ((j > p - window) | (j < sinks))), -torch.inf)
        o[i : i + chunk] = s.softmax(dim=1) @ values
    return o
