"""`torchrun --nproc_per_node W -m bench.ranks.tree OUT.json`, on W GPUs: decoding with a cache on all of them.

Microseconds for a token of one sequence of 1,048,576 cached tokens, split evenly, with 64 query heads and 8 KV heads of
width 128 in float16: on one GPU with the whole cache, on each with its shard alone, with the shards merged by the
course's two ways, and by the ring, which hands on the cache. The shard's attention is the course's flash-decoding, its
results in float32.
"""

from __future__ import annotations

import json
import os
import statistics
from collections.abc import Callable
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor

from autograder.benchmark.timing.roofline import this_device, versions
from bench.asked import json_file
from kernels.flash_decoding import combine_splits, number_of_splits, split_decode
from kernels.ring import attend, merge, pass_on
from kernels.tree_attention import merge_by_all_reduce, merge_by_tree

TOKENS, HEADS, KV_HEADS, WIDTH = 1 << 20, 64, 8, 128
SLOTS, MOST = 264, 128  # as in kernels.flash_decoding
RUNS = 50


def decode(q: Tensor, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
    """Attention of q (1, H, d) with k and v (1, H_kv, N, d): o (1, H, d) and L (1, H) in float32."""
    lengths = lengths_of(k.shape[2])
    splits = number_of_splits(KV_HEADS, SLOTS, max(1, min(MOST, k.shape[2] // 256)))
    o, L = combine_splits(*split_decode(q, k, v, lengths, splits))
    return o, L


@cache
def lengths_of(n: int) -> Tensor:
    """The length of the one sequence, on the GPU."""
    return torch.full((1,), n, dtype=torch.int32, device="cuda")


def by_ring(q: Tensor, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
    """The query waits for the keys, which go round."""
    rows, keys, values = q[0][:, None], k[0], v[0]
    o, L = attend(rows, keys, values)
    for _ in range(1, dist.get_world_size()):
        requests, (keys, values) = pass_on([keys, values], keys.shape[1])
        for request in requests:
            request.wait()
        o, L = merge(o, L, *attend(rows, keys, values))
    return o, L


def in_a_graph(run: Callable[[], Any]) -> Callable[[], Any]:
    """What run() launches, recorded once, as engines do for each step."""
    run()
    torch.cuda.synchronize()
    recorded = torch.cuda.CUDAGraph()
    with torch.cuda.graph(recorded, capture_error_mode="thread_local"):  # NCCL's own thread asks for events
        run()
    return recorded.replay


def microseconds(runs: dict[str, Callable[[], Any]]) -> dict[str, float]:
    """Medians on this rank, all ranks beginning together; in turn, since a GPU that is warm is slower."""
    found: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(RUNS + 5):
        for name, run in runs.items():
            dist.barrier()
            torch.cuda.synchronize()
            begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            begin.record()
            run()
            end.record()
            torch.cuda.synchronize()
            found[name].append(1e3 * begin.elapsed_time(end))
    return {name: round(statistics.median(times[5:]), 2) for name, times in found.items()}


def times() -> dict[str, float]:
    """Microseconds of everything. What is recorded here uses the links, which have to end after it."""
    rank, size = dist.get_rank(), dist.get_world_size()
    torch.manual_seed(0)
    q = torch.randn(1, HEADS, WIDTH, device="cuda", dtype=torch.float16)
    dist.broadcast(q, 0)
    shard = TOKENS // size
    k, v = (torch.randn(1, KV_HEADS, shard, WIDTH, device="cuda", dtype=torch.float16) for _ in range(2))
    whole = [torch.randn(1, KV_HEADS, TOKENS if rank == 0 else 1, WIDTH, device="cuda").half() for _ in range(2)]
    runs = {
        "shard": lambda: decode(q, k, v),
        "all_reduce": lambda: merge_by_all_reduce(*decode(q, k, v)),
        "tree": lambda: merge_by_tree(*decode(q, k, v)),
        "one GPU": lambda: decode(q, *whole),  # the others wait at the barrier
    }
    runs |= {f"{name}, in a graph": in_a_graph(run) for name, run in runs.items()}
    return microseconds(runs | {"ring": lambda: by_ring(q, k, v)})


def main(out: Path) -> None:
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    dist.init_process_group("nccl")
    found = times()
    if dist.get_rank() == 0:
        about = {"device": this_device().name, "ranks": dist.get_world_size(), "versions": versions()}
        text = json.dumps(about | {"date": str(date.today()), "microseconds": found}, indent=1)
        out.write_text(text + "\n", encoding="utf-8")
    dist.destroy_process_group()


if __name__ == "__main__":
    main(json_file(ranks=True))
