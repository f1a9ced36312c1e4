# Honest: chunks from the last to the first, a generator of slices, in-place ops and out= arguments.
import math

import numpy as np
import torch
from torch import Tensor


from collections.abc import Iterator


def spans(n: int, size: int) -> Iterator[tuple[int, int]]:
    for begin in reversed(range(0, n, size)):
        yield begin, min(n, begin + size)


def chunked_prefill(q: Tensor, k: Tensor, v: Tensor, chunk: int, scale: float | None = None) -> Tensor:
    offset = k.size(0) - q.size(0)
    factor = q.size(-1) ** -0.5 if scale is None else scale
    o = v.new_empty(q.size(0), v.size(1))
    for begin, end in spans(q.size(0), chunk):
        seen = offset + end
        s = torch.einsum("id,jd->ij", q[begin:end], k[:seen])
        s *= factor
        s.masked_fill_(torch.ones_like(s, dtype=torch.bool).triu_(offset + begin + 1), -math.inf)
        torch.matmul(s.softmax(1), v[:seen], out=o[begin:end])
    return o
