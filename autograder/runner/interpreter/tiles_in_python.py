"""What Python may do with a tile of an interpreted kernel, and what is said where a compiler would refuse it.

Scalars of the interpreter are arrays of one element, of which numpy 2.4 or newer no longer makes an int, as Triton 3.6
asks it to (3.7 squeezes them first): without it no loop to a bound of the launch (`for start in range(0, n, TILE)`)
runs. And it takes a tile of several elements for true, whatever they are, so that `a and b` is b. What it refuses it
refuses in words of its own inside: `tile[i]` is an `int` that is not iterable.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any, NoReturn

NO_TRUTH = (
    "a tile is not true or false as a whole, as and, or, not, if and while need it: between tiles write &, | and ~, "
)
NO_TRUTH += "with each comparison in brackets"
NO_ELEMENTS = (
    "brackets only add axes to a tile, as in tile[:, None]: tl.load(pointer + offsets) reads what lies in memory"
)
NO_ELEMENTS += ", and tl.where or tl.sum with a mask takes a part of a tile"
NO_PRODUCT = "@ is not there between tiles: their product is tl.dot(a, b)"
NO_COLUMNS = "T needs a tile of two dimensions, and this one has {}: tile[:, None] is a column, tile[None, :] a row"
OF_TORCH = "{} takes torch's tensors, and a tile in a kernel is Triton's: what works on tiles stands in tl"
BUILDING = "triton.language.semantic"  # where operands may be None: asked whether they are true, others are there
LACKS = "a tile in a kernel is Triton's, and has no {}, as torch's tensors have: what works on tiles stands in tl"


@functools.cache
def as_compiled(told: Callable[[Any], None] = lambda handle: None) -> bool:
    """From now on an array of one element is a number, of which `told` is told when Python asks for it, and what a
    compiler refuses is said. False if it is unknown.
    """
    try:
        from triton.runtime import interpreter

        original, restorable = interpreter._patch_lang_tensor, interpreter._LangPatchScope.set_attr
    except (ImportError, AttributeError):  # Triton 3.6 to 3.9 have both
        return False

    def number(tensor: Any) -> int:
        told(tensor.handle)
        return int(tensor.handle.data.item())

    def truth(tensor: Any) -> bool:
        asking = str(sys._getframe(1).f_globals.get("__name__"))
        if asking.partition(".")[0] != "triton":
            told(tensor.handle)
        return _truth(tensor, asking)

    @functools.wraps(original)
    def patched(tensor: Any, scope: Any) -> None:
        original(tensor, scope)
        made: dict[str, Any] = {"__index__": number, "__bool__": truth}
        made |= {"__getitem__": _with_axes(tensor.__getitem__), "T": property(_transposed)}
        made |= {"__matmul__": _no_product, "__torch_function__": classmethod(_not_torch), "__getattr__": _lacks}
        for name, does in made.items():
            restorable(scope, tensor, name, does)

    interpreter._patch_lang_tensor = patched
    return True


def _truth(tensor: Any, asking: str) -> bool:
    """Raises ValueError, as numpy does, of several elements, but for Triton's own functions (is there a mask?). Those
    that build an operation ask that of one number too: `other=0.0` is there. asking: the module that asks.
    """
    numbers = tensor.handle.data
    if numbers.size == 1:
        return asking == BUILDING or bool(numbers)
    if asking.partition(".")[0] != "triton":
        raise ValueError(NO_TRUTH)
    return True


def _with_axes(original: Callable[..., Any]) -> Callable[..., Any]:
    """Raises TypeError of anything in brackets but `:` and None."""

    @functools.wraps(original)
    def picked(tensor: Any, index: Any, **given: Any) -> Any:
        parts = index if isinstance(index, tuple) else getattr(index, "values", (index,))
        if any(isinstance(getattr(part, "value", part), int) or hasattr(part, "handle") for part in parts):
            raise TypeError(NO_ELEMENTS)
        return original(tensor, index, **given)

    return picked


def _transposed(tensor: Any) -> Any:
    """By Triton's operation, as it is compiled: its interpreter makes a new tile, of which nothing is known. Raises
    TypeError of a tile without rows and columns.
    """
    import triton.language as tl

    dimensions = tensor.handle.data.ndim if tensor.type.is_block() else 0
    if dimensions < 2:
        raise TypeError(NO_COLUMNS.format(dimensions))
    return tl.trans(tensor)


def _no_product(tensor: Any, other: Any) -> NoReturn:
    raise TypeError(NO_PRODUCT)


def _not_torch(kind: Any, function: Any, *_: Any) -> NoReturn:
    raise TypeError(OF_TORCH.format(getattr(function, "__name__", function)))


def _lacks(tensor: Any, name: str) -> NoReturn:
    is_torch = hasattr(getattr(sys.modules.get("torch"), "Tensor", None), name)
    raise AttributeError(LACKS.format(name) if is_torch else f"a tile has no {name}")
