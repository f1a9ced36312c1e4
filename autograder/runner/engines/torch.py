"""Answers in torch: its operators are counted, with the memory that they allocate and what they multiply."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from .engine import Engine, Metering

if TYPE_CHECKING:
    from ..meters.operations import FunctionNames, OperatorsAndBytes
    from ..meters.spies import Spies
    from ..observation import Observation


class Torch(Engine):
    unmeasured: tuple[str, ...] = ("triton", "numpy")
    only_counts = True

    @contextlib.contextmanager
    def meters(
        self, seen: Observation, given: dict[str, Any] | None, home: str, spies: Spies | None = None
    ) -> Metering:
        from .memory import unwritten_is_nan

        operators, names = operator_meters(given, home, spies)
        with unwritten_is_nan(), names, operators:
            yield operators
        note_operators(seen, operators, names)
        seen.note("products", operators.products)
        seen.note("product_calls", operators.product_calls)
        seen.note("product_rows", operators.product_rows)
        seen.note("product_of_a_head", operators.product_of_a_head)
        seen.note("powers_at_once", operators.powers_at_once)
        seen.note("exponentials", operators.powers.total())
        by_lines = {"rows_apart": operators.apart, "rounded": operators.rounded, "widened": operators.widened}
        by_lines |= {"by_number": operators.by_number, "joined": operators.joined, "powers": operators.powers}
        for name, by_line in by_lines.items():
            seen.note(name, by_line.total(), max(by_line, key=by_line.__getitem__, default=0))
        seen.note("computed", operators.computed, operators.busiest_line)


def operator_meters(
    given: dict[str, Any] | None, home: str, spies: Spies | None
) -> tuple[OperatorsAndBytes, FunctionNames]:
    """What counts torch's operators, and what sees the functions that are called by their names."""
    from ..failure import is_learners
    from ..meters.operations import FunctionNames, OperatorsAndBytes

    operators = OperatorsAndBytes(is_learners, given, spies, home)
    return operators, FunctionNames(home, operators)


def note_operators(seen: Observation, operators: OperatorsAndBytes, names: FunctionNames) -> None:
    """Which operators were run, how many, and what they allocated."""
    seen.operations = operators.lines | names.lines
    seen.inputs_changed |= operators.changed
    seen.note("peak_bytes", operators.peak, operators.largest_line)
    seen.note("held_bytes", operators.held, operators.largest_line)
    seen.note("floats_held", operators.floats_held)
    seen.note("floats_made", operators.floats_made)
    seen.note("operators", operators.count, operators.busiest_line)
    seen.note("copied_inputs", operators.copied)
    seen.note("copied_keys", operators.copied_others)
