"""Numbers for people."""

from __future__ import annotations

from . import Meter


def in_bytes(n: float) -> str:
    """Bytes for people: 812 B, 24 kB, 1.05 MB, 40 TB."""
    for unit, size in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if n >= size:
            return f"{n / size:.3g} {unit}"
    return f"{int(n)} B"


def counted(n: int, noun: str) -> str:
    """So many of them: 1 token, 2 tokens, 5,000 tokens."""
    return f"{n:,} {noun}{_ending(n)}"


def in_words(meter: Meter, said: str, n: float) -> str:
    """One of the meter's sentences, with what it counted."""
    return said.format(amount(meter, n), s=_ending(n))


def _ending(n: float) -> str:
    return "" if n == 1 else "s"


def amount(meter: Meter, n: float) -> str:
    """What a meter counted: bytes, or a number."""
    return in_bytes(n) if meter.in_bytes else f"{int(n):,}"
