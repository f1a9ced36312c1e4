"""What an operator of torch is called. With its overload's name, as torch writes it: "aten.add.out"."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

whole_name = lru_cache(maxsize=4096)(str)


@lru_cache(maxsize=4096)
def name_of(func: Any) -> str:
    """Without it, the same for all overloads: "aten.add"."""
    return str(func.overloadpacket)
