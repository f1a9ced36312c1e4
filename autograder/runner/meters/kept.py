"""Whether what a kernel keeps in memory from step to step counts: altered there, it has to alter what comes out."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from .idle import depends

KEPT = "what is kept in "  # before the name of a place, one of `simt.cpu.PLACES`
Call = Callable[[Any], "list[np.ndarray] | None"]  # what the function returns; None if that is no answer


def kept_for_show(
    anew: Callable[[], Any], spied: Iterable[str], outputs: Sequence[np.ndarray], call: Call
) -> list[str]:
    """Those names of what is kept, among those that are spied on, with other numbers in which no output is another in
    half of its own, or with which the call ends: they are numbers like others.
    """
    found = []
    for name in [name for name in spied if name.startswith(KEPT)]:
        from simt import cpu

        again = None
        with cpu.altered(name.removeprefix(KEPT)), contextlib.suppress(Exception):
            again = call(anew())
        if again is None or not any(depends([one], [other]) for one, other in zip(outputs, again)):
            found.append(name)
    return found
