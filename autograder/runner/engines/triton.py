"""Answers in Triton: without a GPU its interpreter runs the kernels, and what they move and multiply is counted."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from .engine import Metering
from .torch import Torch, note_operators, operator_meters

if TYPE_CHECKING:
    from ..meters.spies import Spies
    from ..meters.traffic import Traffic
    from ..observation import Observation

ROUNDED_TO_TF32 = "float32 rounded to TF32"  # an operation that is not forbidden, but may be why values are wrong

FEW_SHAPES = 100  # of matrix products that are told of


def interpreted() -> bool:
    """Whether Triton runs kernels in its interpreter, which was decided when it was first imported."""
    from triton import knobs

    return bool(knobs.runtime.interpret)


class Triton(Torch):
    language = "triton"
    unmeasured = ("numpy",)
    launches_triton = True
    may_use_gpu = True
    only_counts = False
    always_counts = False  # the interpreter may be one that is not known, and a GPU counts nothing

    @property
    def on_gpu(self) -> bool:
        return not interpreted()

    @contextlib.contextmanager
    def meters(
        self, seen: Observation, given: dict[str, Any] | None, home: str, spies: Spies | None = None
    ) -> Metering:
        from ..meters.traffic import Traffic, install
        from .memory import unwritten_is_nan

        operators, names = operator_meters(given, home, spies)
        traffic = Traffic(home.__eq__, operators=operators, in_name=_is_in_name(given)) if install() else None
        with contextlib.nullcontext() if traffic is None else traffic, unwritten_is_nan(), names, operators:
            yield operators
        if traffic is None:
            return  # an interpreter that is not known, whose own operations look like the answer's
        note_operators(seen, operators, names)
        if traffic.in_name:
            seen.note("programs", *traffic.programs)
            seen.note("launches", traffic.launches, traffic.programs[1])
            seen.kernels = sorted(traffic.kernels)
        elif interpreted():
            note_traffic(seen, traffic)


def _is_in_name(given: dict[str, Any] | None) -> bool:
    """Whether numbers are bfloat16, with which the interpreter cannot compute: kernels are launched in name only."""
    import torch

    return interpreted() and any(getattr(value, "dtype", None) is torch.bfloat16 for value in (given or {}).values())


def note_traffic(seen: Observation, traffic: Traffic) -> None:
    """What the interpreter's kernels did."""
    seen.note("loaded_bytes", traffic.loads, traffic.line_of("load"))
    seen.note("loaded_again", *traffic.loaded_again)
    seen.note("input_bytes", traffic.of_inputs)
    seen.note("stored_bytes", traffic.stores, traffic.line_of("store"))
    seen.note("busiest_bytes", traffic.busiest)
    seen.note("programs", *traffic.programs)
    seen.note("launches", traffic.launches, traffic.programs[1])
    seen.note("widest_access", traffic.widest, traffic.widest_line)
    seen.note("asked_elements", *traffic.asked_in_all)
    seen.note("products", *traffic.products)
    seen.note("product_calls", *traffic.product_calls)
    seen.note("product_of_a_head", traffic.largest, traffic.largest_line)
    seen.note("natural", *traffic.natural_exponentials)
    seen.note("exponentials", traffic.exponentials.total())
    seen.note("powers", *traffic.powers)
    seen.note("powers_at_once", traffic.powers_at_once)
    seen.note("backward_products", traffic.backwards)
    seen.note("by_number", *traffic.numbers)
    seen.note("computed", traffic.computed, traffic.numbers[1])
    seen.note("narrow_offsets", *traffic.narrow_offsets)
    seen.note("rounded", *traffic.rounded_numbers)
    seen.kernels, seen.written, seen.regions = sorted(traffic.kernels), traffic.written, traffic.regions
    seen.multiplied = sorted(map(list, traffic.shapes))[:FEW_SHAPES]
    if traffic.shortened:
        seen.operations[ROUNDED_TO_TF32] = traffic.shortened
