"""Which exercises are measured, and at which sizes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

from ...spec import interpreter
from .attention import Attention, Gradients, Rows, Training
from .decode import Decode, PagedDecode

Problem = Rows | Attention | Decode

TOKENS, HIDDEN = 16_384, 2_048  # in all sequences together; heads times head dim
LENGTHS = (512, 1024, 2048, 4096, 8192, 16_384)
HEAD_DIMS = (64, 128)
STEPS = ("flash_rows", "flash_tiles", "flash_registers")  # before tensor cores
LADDER = (4096,)  # lengths at which these are measured: the first steps take long
ROWS = ((8192, 1024), (8192, 2048), (8192, 4096), (8192, 8192), (8192, 16_384), (4096, 32_768), (1024, 131_072))
CONTEXTS = {  # batch -> tokens per sequence; at the last of each, half a GB of keys and values or more
    1: (4096, 16_384, 65_536, 131_072),
    8: (4096, 8192, 16_384, 32_768),
    32: (1024, 2048, 4096, 8192),
    64: (1024, 2048, 4096, 8192),
}
KV_HEADS = 8  # for 64 query heads
MULTI_HEAD = {8: (1024, 2048, 4096, 8192)}  # the same with 64 KV heads
PAGE, LARGER_PAGE = 16, 64
LARGER_PAGES = {32: CONTEXTS[32]}


def _attention(make: type[Attention], lengths: Sequence[int] = LENGTHS) -> list[Problem]:
    return [
        make(n, d, causal, TOKENS // n, HIDDEN // d) for d in HEAD_DIMS for causal in (False, True) for n in lengths
    ]


def _decode(contexts: Mapping[int, Sequence[int]], kv_heads: int, page: int = 0) -> list[Problem]:
    return [
        PagedDecode(batch, context, kv_heads, page) if page else Decode(batch, context, kv_heads)
        for batch, some in contexts.items()
        for context in some
    ]


@dataclass(frozen=True)
class Measured:
    """An exercise whose speed is measured: the topic in which its solution lies, and its problems."""

    topic: str
    problems: Sequence[Problem]


# Name of the exercise -> what is measured of it: the only home of this fact.
MEASURED = {
    "fused_softmax": Measured("fused_softmax", [Rows(*size) for size in ROWS if size[1] <= 32_768]),
    "online_softmax_rows": Measured("fused_softmax", [Rows(*size) for size in ROWS]),
    "flash_attention": Measured("causal_flash", _attention(Attention)),
    "attention_backward": Measured("flash_backward", _attention(Gradients)),
    "attention_with_gradients": Measured("flash_backward", _attention(Training)),
    "warp_softmax": Measured("cuda_softmax", [Rows(*size) for size in ROWS if size[1] <= 16_384]),
    **{step: Measured("cuda_flash_forward", _attention(Attention, LADDER)) for step in STEPS},
    "flash_mma": Measured("tensor_cores", _attention(Attention, LADDER)),
    "flash_async": Measured("tensor_cores", _attention(Attention)),
    "cuda_attention_backward": Measured("cuda_flash_backward", _attention(Gradients)),
    "flash_decode": Measured("flash_decoding", _decode(CONTEXTS, KV_HEADS) + _decode(MULTI_HEAD, Decode.heads)),
    "paged_decode": Measured(
        "paged_attention",
        _decode(CONTEXTS, KV_HEADS, PAGE)
        + _decode(LARGER_PAGES, KV_HEADS, LARGER_PAGE)
        + _decode(MULTI_HEAD, Decode.heads, PAGE),
    ),
}


@cache
def course_function(name: str) -> Callable[..., Any] | None:
    """The course's own function for a measured exercise, None where the course has none of that name."""
    interpreter.choose()
    try:
        return getattr(import_module(f"kernels.{MEASURED[name].topic}"), name, None)
    except ModuleNotFoundError as error:
        if error.name and error.name.startswith("kernels."):
            return None
        raise
