"""The merge of a ring on a GPU in one pass: PyTorch's own operations would read and write the whole output thrice."""

from __future__ import annotations

import torch
import triton
import triton.language as tl
from torch import Tensor

ROWS = 16


@triton.jit
def _merge(out, o, L, part, of_part, start, n, WIDTH: tl.constexpr, ROWS: tl.constexpr, EVERY: tl.constexpr):
    head, columns = tl.program_id(1).to(tl.int64), tl.arange(0, WIDTH)[None, :]
    rows = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    inside, added = rows < n, (rows >= start) & (rows < n)
    at, at_part = head * n + rows, head * (n - start) + rows - start
    before = tl.load(L + at, mask=inside, other=0.0)
    of_added = tl.load(of_part + at_part, mask=added, other=-float("inf"))
    most = tl.maximum(before, of_added)
    of_before, of_added = tl.exp(before - most), tl.exp(of_added - most)
    written = inside if EVERY else added
    held = tl.load(o + at[:, None] * WIDTH + columns, mask=written[:, None], other=0.0).to(tl.float32)
    came = tl.load(part + at_part[:, None] * WIDTH + columns, mask=added[:, None], other=0.0).to(tl.float32)
    weight = of_added / (of_before + of_added)
    tl.store(out + at[:, None] * WIDTH + columns, held + weight[:, None] * (came - held), mask=written[:, None])
    tl.store(L + at, most + tl.log(of_before + of_added), mask=added)


def merge_on_gpu(o: Tensor, L: Tensor, part: Tensor, of_part: Tensor, start: int) -> Tensor:
    """o (H, N, d) with attention of the queries from `start` on to one more block, in float32; in o itself if it is so.

    L (H, N) float32 is brought up to date in place; part (H, N - start, d) and of_part (H, N - start) float32 are the
    block's. o and part in any dtype, all contiguous, d a power of two, and no L of o is -inf.
    """
    heads, n, width = o.shape
    out = o if o.dtype == torch.float32 else torch.empty_like(o, dtype=torch.float32)
    grid = triton.cdiv(n, ROWS), heads
    _merge[grid](
        out, o, L, part.contiguous(), of_part.contiguous(), start, n, WIDTH=width, ROWS=ROWS, EVERY=out is not o
    )
    return out
