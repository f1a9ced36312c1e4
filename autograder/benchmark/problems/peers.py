"""What an answer is measured against: PyTorch's attention with its back end pinned, its softmax, and a copy."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import scaled_dot_product_attention

from .attention import Attention, Gradients, Inputs, Rows, Training
from .decode import Decode, PagedDecode
from .sizes import Problem, course_function

Call = Callable[[], Any]


@dataclass(frozen=True)
class Column:
    """One function in the table. `prepare` does the untimed part and returns the call to time, both within `around`.

    judged: its outputs are compared with the truth; the peers' are not.
    """

    name: str
    prepare: Callable[[Problem, Inputs], Call]
    around: Callable[[], AbstractContextManager[Any]] = field(default=nullcontext)
    judged: bool = False


def judged(name: str, function: Callable[..., Any]) -> Column:
    """The column of an answer, `function`."""
    return Column(name, lambda problem, inputs: lambda: problem.call(function, inputs), judged=True)


def peers(problem: Problem) -> list[Column]:
    """The columns with which an answer to this problem is compared."""
    if isinstance(problem, Rows):
        return [Column("copy", _copy), Column("torch", _softmax)]
    if isinstance(problem, Decode):
        contiguous = [Column("contiguous", _contiguous)] if isinstance(problem, PagedDecode) else []
        return [Column("copy", _copy_keys), *contiguous, *_backends(_decode)]
    prepare = _both if isinstance(problem, Training) else _backward if isinstance(problem, Gradients) else _forward
    return _backends(prepare)


def _backends(prepare: Callable[[Problem, Inputs], Call]) -> list[Column]:
    """PyTorch's attention with each of its fast back ends."""
    backends = {"cuDNN": SDPBackend.CUDNN_ATTENTION, "flash": SDPBackend.FLASH_ATTENTION}
    return [Column(name, prepare, partial(sdpa_kernel, backend)) for name, backend in backends.items()]


def _copy(problem: Problem, inputs: Inputs) -> Call:
    y = torch.empty_like(inputs["x"])
    return lambda: y.copy_(inputs["x"])


def _softmax(problem: Problem, inputs: Inputs) -> Call:
    return lambda: torch.softmax(inputs["x"], dim=-1)


def _forward(problem: Problem, inputs: Inputs) -> Call:
    assert isinstance(problem, Attention)
    return lambda: scaled_dot_product_attention(inputs["q"], inputs["k"], inputs["v"], is_causal=problem.causal)


def _backward(problem: Problem, inputs: Inputs) -> Call:
    """Run the forward pass here, so that the clock sees the backward pass alone."""
    assert isinstance(problem, Attention)
    q, k, v = (inputs[name].detach().requires_grad_() for name in ("q", "k", "v"))
    with torch.enable_grad():
        o = scaled_dot_product_attention(q, k, v, is_causal=problem.causal)
    return lambda: torch.autograd.grad(o, (q, k, v), inputs["do"])


def _both(problem: Problem, inputs: Inputs) -> Call:
    return lambda: _backward(problem, inputs)()


def _copy_keys(problem: Problem, inputs: Inputs) -> Call:
    """A copy of as many bytes as attention reads: half of the cache in, and out again."""
    assert isinstance(problem, Decode)
    k = inputs[problem.caches[0]]
    y = torch.empty_like(k)
    return lambda: y.copy_(k)


def _decode(problem: Problem, inputs: Inputs) -> Call:
    """PyTorch takes no pages here, so they are put in order before the clock starts."""
    assert isinstance(problem, Decode)
    q, (k, v) = inputs["q"][:, :, None], problem.cache(inputs, slice(None))
    return lambda: scaled_dot_product_attention(q, k, v, enable_gqa=True)


def _contiguous(problem: Problem, inputs: Inputs) -> Call:
    """The course's kernel for a contiguous cache; here too the pages are put in order first."""
    assert isinstance(problem, Decode)
    decode, (k, v) = course_function("flash_decode"), problem.cache(inputs, slice(None))
    assert decode
    return lambda: decode(inputs["q"], k, v, inputs["lengths"])
