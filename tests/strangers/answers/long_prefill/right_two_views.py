# style: list of views, torch.cat of sinks and window, enumerate of chunks
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
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    shift = n_k - n_q
    for begin in range(0, n_q, chunk):
        end = min(begin + chunk, n_q)
        stop = end + shift
        start = max(0, begin + shift - window + 1)
        head = min(sinks, start)  # sinks that lie before the window
        j = torch.cat((torch.arange(head), torch.arange(start, stop)))
        p = torch.arange(begin + shift, stop)[:, None]
        seen = (j <= p) & ((j > p - min(window, n_k)) | (j < min(sinks, n_k)))
        keys = torch.cat((k[:head], k[start:stop]))
        s = scale * (q[begin:end] @ keys.T)
        del keys
        s = s.masked_fill_(~seen, -torch.inf).softmax(dim=1)
        o[begin:end] = s @ torch.cat((v[:head], v[start:stop]))
    return o
