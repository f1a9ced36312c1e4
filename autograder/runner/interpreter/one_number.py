"""What Python takes of an interpreted kernel as one number: an integer, or whether something is true.

Scalars of the interpreter are arrays of one element, of which numpy 2.4 or newer no longer makes an int, as Triton 3.6
asks it to (3.7 squeezes them first): without it no loop to a bound of the launch (`for start in range(0, n, TILE)`)
runs. And it takes a tile of several elements for true, whatever they are, so that `a and b` is b.
"""

from __future__ import annotations

import functools
import sys
from typing import Any

NO_TRUTH = (
    "a tile is not true or false as a whole, as and, or, not, if and while need it: between tiles write &, | and ~, "
)
NO_TRUTH += "with each comparison in brackets"
BUILDING = "triton.language.semantic"  # where operands may be None: asked whether they are true, others are there


@functools.cache
def of_arrays() -> bool:
    """From now on an array of one element is a number, and one of several none. False where it is not known."""
    try:
        from triton.runtime import interpreter

        original, restorable = interpreter._patch_lang_tensor, interpreter._LangPatchScope.set_attr
    except (ImportError, AttributeError):  # Triton 3.6 to 3.9 have both
        return False

    @functools.wraps(original)
    def patched(tensor: Any, scope: Any) -> None:
        original(tensor, scope)
        restorable(scope, tensor, "__index__", lambda self: int(self.handle.data.item()))
        restorable(scope, tensor, "__bool__", _truth)

    interpreter._patch_lang_tensor = patched
    return True


def _truth(tensor: Any) -> bool:
    """Raises ValueError, as numpy does, of several elements, but for Triton's own functions (is there a mask?). Those
    that build an operation ask that of one number too: `other=0.0` is there.
    """
    numbers, asking = tensor.handle.data, str(sys._getframe(1).f_globals.get("__name__"))
    if numbers.size == 1:
        return asking == BUILDING or bool(numbers)
    if asking.partition(".")[0] != "triton":
        raise ValueError(NO_TRUTH)
    return True
