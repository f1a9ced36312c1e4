"""@triton.autotune without a GPU, where nothing can be timed.

The interpreter takes now one configuration and now another, or those behind the first would never be looked at: which
one, the sizes of a launch decide. The compiler takes the first.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
from typing import Any

from ..tensors import read
from .arguments import TENSORS


@functools.cache
def first_configuration_only() -> bool:
    """From now on every autotuned kernel has one configuration. False for an unknown Autotuner."""
    try:
        from triton.runtime.autotuner import Autotuner
    except ImportError:
        return False
    original = Autotuner.__init__

    @functools.wraps(original)
    def with_one(self: Any, *args: Any, **kwargs: Any) -> None:
        original(self, *args, **kwargs)
        if isinstance(getattr(self, "configs", None), list):
            self.configs = self.configs[:1]

    Autotuner.__init__ = with_one
    return True


@functools.cache
def any_configuration() -> bool:
    """From now on an autotuned kernel takes one of the configurations that it would time, anew at every launch. False
    for an unknown Autotuner.
    """
    try:
        from triton.runtime.autotuner import Autotuner

        original = Autotuner.run
        if list(inspect.signature(Autotuner._bench).parameters) != ["self", "args", "config", "meta"]:
            return False
    except (ImportError, AttributeError):  # Triton 3.6 to 3.9 have them
        return False

    @functools.wraps(original)
    def run(self: Any, *args: Any, **kwargs: Any) -> Any:
        self.cache.clear()  # of what was the fastest
        return original(self, *args, **kwargs)

    Autotuner.run, Autotuner._bench = run, _instead_of_a_time
    return True


def _instead_of_a_time(self: Any, *args: Any, config: Any, **meta: Any) -> list[float]:
    """A number that a configuration gets for these arguments: the smallest wins."""
    sizes = [_size(value) for value in (*args, *meta.values())]
    number = int.from_bytes(hashlib.sha256(f"{sizes} {config}".encode()).digest()[:6])
    return [float(number)] * 3


def _size(value: Any) -> Any:
    if type(value) in TENSORS:
        return tuple(read.size_of(value))
    return value if type(value) is int else None
