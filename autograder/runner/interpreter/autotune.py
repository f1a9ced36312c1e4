"""@triton.autotune without a GPU: nothing can be timed, so it takes its first configuration."""

from __future__ import annotations

import functools
from typing import Any


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
