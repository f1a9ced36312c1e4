"""`torchrun --nproc_per_node W -m bench.ranks.ring OUT.json`, on W GPUs: rings of cuDNN's blocks over NCCL.

Milliseconds for one sequence of 16 heads of width 128 in bfloat16: on one GPU, and by rings in which the tokens lie on
the ranks in one piece, striped or in zigzag, as in `kernels.ring_attention`; and by PyTorch's own context_parallel. The
longest time of a rank counts. Before anything is timed, the rings' results are compared with those of one rank.
`--tiny` tries all of it over gloo without a GPU, with the course's own blocks and lengths of no use.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor

from autograder.benchmark.timing.roofline import this_device, versions
from bench.asked import json_file
from bench.ranks.blocks import Attention, gradients, of_cudnn, of_the_course, whole
from kernels.ring import pass_on
from kernels.ring_attention import token_order

HEADS, WIDTH = 16, 128
TOKENS = (16_384, 65_536)
RUNS = 10
LAYOUTS = ("full", "one piece", "stripe", "zigzag")  # the first without a mask

Pair = tuple[slice, slice, bool]


def pair(layout: str, rank: int, source: int, n: int) -> Pair | None:
    """Which of a rank's n queries meet which keys of the source, and whether the i-th sees keys up to the i-th only."""
    every, behind = slice(None), slice(n // 2, None)
    if layout == "full" or (layout == "one piece" and source < rank):
        return every, every, False
    if source == rank or (layout == "stripe" and source < rank):
        return every, every, True
    if layout == "stripe":
        return slice(1, None), slice(n - 1), True
    if layout == "zigzag":
        return (every, slice(n // 2), False) if source < rank else (behind, every, False)
    return None


def forward(attention: Attention, layout: str, q: Tensor, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
    """This rank's o (H, N_r, d) and L (H, N_r), in float32 once merged, while the keys go round."""
    rank, size, n = dist.get_rank(), dist.get_world_size(), q.shape[1]
    o, L = q.new_empty(0), q.new_empty(0)
    for step in range(size):
        requests, coming = pass_on([k, v], n) if step < size - 1 else ([], [k, v])
        if met := pair(layout, rank, (rank - step) % size, n):
            rows, columns, causal = met
            part, of_part = attention.forward(q[:, rows], k[:, columns], v[:, columns], causal)
            if step == 0:
                o, L = part, of_part
            else:
                o = attention.merge(o, L, part, of_part, rows.start or 0)
        for request in requests:
            request.wait()
        k, v = coming
    return o, L


def backward(
    attention: Attention, layout: str, q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """This rank's dq, dk, dv in float32: those of the keys go round with them, and arrive at home."""
    rank, size, n = dist.get_rank(), dist.get_world_size(), q.shape[1]
    dq, *travelling = (torch.zeros_like(x, dtype=torch.float32) for x in (q, k, v))
    arriving: list[dist.Work] = []
    o = o.to(q.dtype)
    for step in range(size):
        requests, coming = pass_on([k, v], n) if step < size - 1 else ([], [k, v])
        met = pair(layout, rank, (rank - step) % size, n)
        parts: list[Tensor] = []
        if met:
            rows, columns, causal = met
            of_rows = [x[:, rows] for x in (do, q, o, L)]
            part, *parts = attention.backward(*of_rows, k[:, columns], v[:, columns], causal)
            dq[:, rows] += part
        for request in arriving:
            request.wait()
        for gradient, part in zip(travelling, parts, strict=False):
            gradient[:, columns] += part
        arriving, travelling = pass_on(travelling, n)
        for request in requests:
            request.wait()
        k, v = coming
    for request in arriving:
        request.wait()
    return dq, travelling[0], travelling[1]


def both(attention: Attention, layout: str, q: Tensor, k: Tensor, v: Tensor, do: Tensor) -> Any:
    return backward(attention, layout, q, k, v, *forward(attention, layout, q, k, v), do)


@contextmanager
def by_context_parallel(q: Tensor, k: Tensor, v: Tensor) -> Iterator[Callable[[], Tensor]]:
    """PyTorch's own causal ring, for the whole sequence (H, N, d), which it shards itself."""
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.tensor.experimental import context_parallel
    from torch.nn import functional
    from torch.nn.attention import SDPBackend, sdpa_kernel

    mesh = init_device_mesh("cuda", (dist.get_world_size(),))
    q, k, v = (x[None].clone() for x in (q, k, v))
    with (
        context_parallel(mesh, buffers=[q, k, v], buffer_seq_dims=[2, 2, 2]),
        sdpa_kernel([SDPBackend.CUDNN_ATTENTION]),
    ):
        yield lambda: functional.scaled_dot_product_attention(q, k, v, is_causal=True)


def milliseconds(runs: dict[str, Callable[[], Any]]) -> dict[str, float]:
    """The longest median of a rank, all of them beginning together; in turn, since a GPU that is warm is slower."""
    found: dict[str, list[float]] = {name: [] for name in runs}
    on_gpu = torch.cuda.is_available()
    for _ in range(RUNS + 3):
        for name, run in runs.items():
            dist.barrier()
            if on_gpu:
                torch.cuda.synchronize()
            begin = time.perf_counter()
            run()
            if on_gpu:
                torch.cuda.synchronize()
            found[name].append(1e3 * (time.perf_counter() - begin))
    medians = [statistics.median(times[3:]) for times in found.values()]
    longest = torch.tensor(medians, device="cuda" if on_gpu else "cpu")
    dist.all_reduce(longest, dist.ReduceOp.MAX)
    return {name: round(ms, 4) for name, ms in zip(runs, longest.tolist(), strict=True)}


def own(x: Tensor, layout: str) -> Tensor:
    """This rank's tokens of a whole sequence (H, N, d)."""
    rank, size = dist.get_rank(), dist.get_world_size()
    if layout in ("full", "one piece"):
        return x.tensor_split(size, dim=1)[rank].contiguous()
    order, starts, _ = token_order(x.shape[1], size, layout)
    return x[:, order[starts[rank] : starts[rank + 1]].to(x.device)]


def strays(attention: Attention, sequence: tuple[Tensor, Tensor, Tensor, Tensor]) -> dict[str, float]:
    """How far the rings' o, dq, dk and dv lie from those of one rank, relative to their norm, by layout."""
    found = {}
    for layout in LAYOUTS:
        q, k, v, do = (own(x, layout) for x in sequence)
        results = [forward(attention, layout, q, k, v)[0], *both(attention, layout, q, k, v, do)]
        truths = [own(x, layout) for x in gradients(*sequence, layout != "full")]
        pairs = zip(results, truths, strict=True)
        found[layout] = max(float((x.detach().float() - truth).norm() / truth.norm()) for x, truth in pairs)
    return found


def times(attention: Attention, tokens: int) -> dict[str, Any]:
    """Milliseconds of everything at one length; what PyTorch says where its own ring does not run."""
    torch.manual_seed(tokens)
    device, dtype = attention.device, attention.dtype
    sequence = [torch.randn(HEADS, tokens, WIDTH, device=device, dtype=dtype) for _ in range(4)]
    q, k, v, do = sequence
    runs: dict[str, Callable[[], Any]] = {}
    for causal in (False, True):
        one = partial(whole, attention, q, k, v, do, causal)
        runs[f"one GPU, {'causal' if causal else 'full'}"] = partial(one, False)
    runs["one GPU, causal, both ways"] = partial(one, True)
    for layout in LAYOUTS:
        q_own, k_own, v_own, do_own = (own(x, layout) for x in sequence)
        runs[layout] = partial(forward, attention, layout, q_own, k_own, v_own)
        runs[f"{layout}, both ways"] = partial(both, attention, layout, q_own, k_own, v_own, do_own)
    failed, name = {}, "context_parallel, causal"
    with ExitStack() as stack:
        try:
            runs[name] = stack.enter_context(by_context_parallel(q, k, v))
            runs[name]()
        except Exception as error:  # an experimental part of PyTorch's, which changes from version to version
            runs.pop(name, None)
            failed[name] = f"{type(error).__name__}: {error}"[:300]
        return milliseconds(runs) | failed


def main(out: Path, tiny: bool) -> None:
    if not tiny:
        torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    dist.init_process_group("gloo" if tiny else "nccl")
    attention = of_the_course() if tiny else of_cudnn()
    torch.manual_seed(0)
    size = dist.get_world_size()
    shape = (2, 32 * size, 16) if tiny else (4, 1024 * size, 128)
    q, k, v, do = (torch.randn(shape).to(attention.device, attention.dtype) for _ in range(4))
    found: dict[str, Any] = {"strays": strays(attention, (q, k, v, do))}
    if dist.get_rank() == 0:
        print(found, flush=True)
    found["milliseconds"] = {tokens: times(attention, tokens) for tokens in ((32 * size,) if tiny else TOKENS)}
    if dist.get_rank() == 0:
        device = "CPU" if tiny else this_device().name
        about = {"device": device, "ranks": size, "versions": versions(), "date": date.today().isoformat()}
        print(json.dumps(found, indent=1))
        out.write_text(json.dumps(about | found, indent=1) + "\n", encoding="utf-8")
    dist.destroy_process_group()


if __name__ == "__main__":
    main(json_file(needs_gpu="--tiny" not in sys.argv, ranks=True), "--tiny" in sys.argv)
