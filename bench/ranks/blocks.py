"""What a ring computes with: attention of queries with a block of keys, and its gradients, by cuDNN or by the course.

cuDNN's is called by the names under which PyTorch itself calls it, since the public function keeps its log-sum-exp.
These names may change: `of_cudnn` says so if they are gone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from kernels.ring import attend, block_gradients


@dataclass(frozen=True)
class Attention:
    """forward(q, k, v, causal) -> o, L; backward(do, q, o, L, k, v, causal) -> dq, dk, dv. All (H, N, d), L (H, N).

    merge(o, L, part, of_part, start) is o in float32 with a block's part of the queries from `start` on; L is brought
    up to date in place.
    """

    forward: Callable[[Tensor, Tensor, Tensor, bool], tuple[Tensor, Tensor]]
    backward: Callable[..., tuple[Tensor, Tensor, Tensor]]
    merge: Callable[[Tensor, Tensor, Tensor, Tensor, int], Tensor]
    device: str
    dtype: torch.dtype


def of_the_course() -> Attention:
    """In torch, without a GPU."""

    def seen(q: Tensor, k: Tensor, causal: bool) -> Tensor | None:
        return torch.ones(q.shape[1], k.shape[1], dtype=torch.bool).tril() if causal else None

    def forward(q: Tensor, k: Tensor, v: Tensor, causal: bool) -> tuple[Tensor, Tensor]:
        return attend(q, k, v, seen(q, k, causal))

    def backward(
        do: Tensor, q: Tensor, o: Tensor, L: Tensor, k: Tensor, v: Tensor, causal: bool
    ) -> tuple[Tensor, Tensor, Tensor]:
        return block_gradients(q, k, v, L, do, (do * o).sum(dim=-1), seen(q, k, causal))

    def merge(o: Tensor, L: Tensor, part: Tensor, of_part: Tensor, start: int) -> Tensor:
        weight = torch.sigmoid(of_part - L[:, start:])[..., None]
        o[:, start:].lerp_(part, weight)  # o is a mean of both, weighted by e^L
        L[:, start:] = torch.logaddexp(L[:, start:], of_part)
        return o

    return Attention(forward, backward, merge, "cpu", torch.float32)


def of_cudnn() -> Attention:
    """By cuDNN, in bfloat16. Raises RuntimeError where this PyTorch calls it otherwise."""
    from bench.ranks.merge import merge_on_gpu

    ways = (getattr(torch.ops.aten, f"_scaled_dot_product_cudnn_attention{way}", None) for way in ("", "_backward"))
    there, back = ways
    if there is None or back is None:
        raise RuntimeError(f"PyTorch {torch.__version__} does not call cuDNN's attention by the names known here")
    kept: list[Tensor] = []  # of the random numbers of a dropout that is 0

    def forward(q: Tensor, k: Tensor, v: Tensor, causal: bool) -> tuple[Tensor, Tensor]:
        o, L, _, _, _, _, seed, offset, _ = there(q[None], k[None], v[None], None, True, 0.0, causal, False)
        kept[:] = seed, offset
        return o[0].contiguous(), L.view(L.shape[1:3])

    def backward(
        do: Tensor, q: Tensor, o: Tensor, L: Tensor, k: Tensor, v: Tensor, causal: bool
    ) -> tuple[Tensor, Tensor, Tensor]:
        given = [x[None] for x in (do, q, k, v, o)]
        sums = L.contiguous()[None, ..., None]
        dq, dk, dv = back(*given, sums, *kept, None, None, None, q.shape[1], k.shape[1], 0.0, causal)
        return dq[0], dk[0], dv[0]

    return Attention(forward, backward, merge_on_gpu, "cuda", torch.bfloat16)


def whole(attention: Attention, q: Tensor, k: Tensor, v: Tensor, do: Tensor, causal: bool, gradients_too: bool) -> None:
    """The same on one rank, with no ring."""
    o, L = attention.forward(q, k, v, causal)
    if gradients_too:
        attention.backward(do, q, o, L, k, v, causal)


def gradients(q: Tensor, k: Tensor, v: Tensor, do: Tensor, causal: bool) -> tuple[Tensor, ...]:
    """o, dq, dk, dv of the whole sequence, by PyTorch's own differentiation, in float32."""
    q, k, v = (x.float().detach().requires_grad_() for x in (q, k, v))
    o = torch.nn.functional.scaled_dot_product_attention(q[None], k[None], v[None], is_causal=causal)[0]
    return (o.detach(), *torch.autograd.grad(o, (q, k, v), do.float()))
