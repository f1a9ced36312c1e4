"""A number of an interpreted kernel as a Python integer, with which Triton 3.6 fails beside numpy 2.4 or newer.

Scalars of the interpreter are arrays of one element, of which numpy no longer makes an int: Triton 3.7 squeezes them
first. Without it no loop to a bound of the launch (`for start in range(0, n, TILE)`) runs.
"""

from __future__ import annotations

import functools
from typing import Any


@functools.cache
def of_arrays() -> bool:
    """From now on an array of one element is a number. False for an interpreter not known here."""
    try:
        from triton.runtime import interpreter

        original, restorable = interpreter._patch_lang_tensor, interpreter._LangPatchScope.set_attr
    except (ImportError, AttributeError):  # Triton 3.6 to 3.9 have both
        return False

    @functools.wraps(original)
    def patched(tensor: Any, scope: Any) -> None:
        original(tensor, scope)
        restorable(scope, tensor, "__index__", lambda self: int(self.handle.data.item()))

    interpreter._patch_lang_tensor = patched
    return True
