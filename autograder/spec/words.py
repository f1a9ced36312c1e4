"""Numbers for people."""

from __future__ import annotations


def in_bytes(n: float) -> str:
    """Bytes for people: 812 B, 24 kB, 1.05 MB."""
    for unit, size in (("MB", 1e6), ("kB", 1e3)):
        if n >= size:
            return f"{n / size:.3g} {unit}"
    return f"{int(n)} B"
