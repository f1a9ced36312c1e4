"""`torchrun --nproc_per_node W -m bench.ring OUT.json`, on W GPUs of one host: the course's ring over NCCL.

Milliseconds of a forward pass, by the tokens of a rank: of the ring, of a ring that waits for each block before it
computes, and of the products alone, W times with the rank's own block. Where the first is as long as the last, the
transfer is hidden. Needs torch only. Nothing has been measured with it yet, so no lesson quotes it.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor

from autograder.benchmark.timing.roofline import this_device, versions
from kernels.ring import attend, merge, pass_on
from kernels.ring_attention import ring_attention

HEADS, WIDTH = 8, 128
TOKENS = (256, 512, 1024, 2048, 4096)
RUNS = 20

Shard = tuple[Tensor, Tensor, Tensor]
Pass = Callable[[Tensor, Tensor, Tensor, tuple[int, ...]], Any]


def one_after_the_other(q: Tensor, k: Tensor, v: Tensor, lengths: tuple[int, ...]) -> Tensor:
    """The ring that waits for each block before it computes."""
    o, L = attend(q, k, v)
    for step in range(1, len(lengths)):
        requests, (k, v) = pass_on([k, v], lengths[(dist.get_rank() - step) % len(lengths)])
        for request in requests:
            request.wait()
        o, L = merge(o, L, *attend(q, k, v))
    return o


def products_alone(q: Tensor, k: Tensor, v: Tensor, lengths: tuple[int, ...]) -> Tensor:
    """As much as a rank computes, and no messages."""
    o, L = attend(q, k, v)
    for _ in lengths[1:]:
        o, L = merge(o, L, *attend(q, k, v))
    return o


def milliseconds(run: Pass, shard: Shard, lengths: tuple[int, ...]) -> float:
    """The median of a pass on this rank, all ranks beginning together."""
    found = []
    for _ in range(RUNS + 3):
        dist.barrier()
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        run(*shard, lengths)
        end.record()
        torch.cuda.synchronize()
        found.append(begin.elapsed_time(end))
    return float(statistics.median(found[3:]))


def main(out: Path) -> None:
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    dist.init_process_group("nccl")
    size = dist.get_world_size()
    rows = []
    for tokens in TOKENS:
        q, k, v = (torch.randn(HEADS, tokens, WIDTH, device="cuda", dtype=torch.float16) for _ in range(3))
        passes: dict[str, Pass] = {
            "ring": ring_attention, "waited for": one_after_the_other, "products": products_alone
        }  # fmt: skip
        times = {name: milliseconds(run, (q, k, v), (tokens,) * size) for name, run in passes.items()}
        rows.append({"tokens": tokens} | {name: round(ms, 4) for name, ms in times.items()})
    if dist.get_rank() == 0:
        about = {"device": this_device().name, "ranks": size, "versions": versions(), "date": str(date.today())}
        found: dict[str, Any] = about | {"rows": rows}
        out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    dist.destroy_process_group()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
