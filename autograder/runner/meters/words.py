"""Numbers for people."""

from __future__ import annotations

from . import Meter


def in_bytes(n: float) -> str:
    """Bytes for people: 812 B, 24 kB, 1.05 MB."""
    for unit, size in (("MB", 1e6), ("kB", 1e3)):
        if n >= size:
            return f"{n / size:.3g} {unit}"
    return f"{int(n)} B"


def amount(meter: Meter, n: float) -> str:
    """What a meter counted: bytes, or a number."""
    return in_bytes(n) if meter.in_bytes else f"{int(n):,}"
