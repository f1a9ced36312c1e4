"""What is counted of a call beside its value. A meter is declared here, and nowhere else by name."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Meter:
    """One count of a call.

    name: its key in an Observation's counts and in results.json. kind, label: what results.json and the card call a
    broken budget; meters of one kind are said in one sentence. bound, formula: the fields of `Budget` that limit it and
    that say the limit in words. over, used: what the answer did, for an answer over its budget and for a right one.
    in_bytes: whether the count is bytes.
    """

    name: str
    kind: str
    label: str
    bound: str
    formula: str
    over: str
    used: str
    in_bytes: bool = False


METERS = (
    Meter("peak_bytes", "memory", "memory", "memory", "memory_is",
          "allocated {} at its peak", "{} at the peak", in_bytes=True),
    Meter("steps", "steps", "steps", "steps", "steps_are", "executed {} lines", "{} lines executed"),
    Meter("loaded_bytes", "traffic", "traffic", "loads", "traffic_is", "loaded {}", "loaded {}", in_bytes=True),
    Meter("stored_bytes", "traffic", "traffic", "stores", "traffic_is", "stored {}", "stored {}", in_bytes=True),
    Meter("sectors", "sectors", "sectors", "sectors", "sectors_are",
          "touched {} sectors of 32 bytes in main memory", "{} sectors of 32 bytes touched"),
    Meter("bank_conflicts", "conflicts", "banks", "conflicts", "conflicts_are",
          "waited {} times for a bank of shared memory", "{} conflicts"),
)  # fmt: skip
