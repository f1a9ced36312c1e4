"""Which names a function's code uses, and who made a class or function, whatever it says of itself."""

from __future__ import annotations

import dis
import sys
from functools import lru_cache
from types import CodeType
from typing import Any


def made_by(package: str, kind: Any) -> bool:
    """Whether a class or function is what the package calls so, and does not only say that it is."""
    module = getattr(kind, "__module__", None)
    if not isinstance(module, str) or module.partition(".")[0] != package:
        return False
    found: Any = sys.modules.get(module)
    for name in kind.__qualname__.split("."):
        found = getattr(found, name, None)
    return found is kind


@lru_cache(maxsize=1024)
def globals_of(code: CodeType) -> frozenset[str]:
    """The global names that a function's code, and the code within it, loads."""
    inner = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    own = {str(i.argval) for i in dis.get_instructions(code) if i.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
    return frozenset(own).union(*map(globals_of, inner))
