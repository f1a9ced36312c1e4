"""A stand-in for Triton where it is not installed, as on macOS and Windows.

The lessons with Triton kernels have exercises in torch and numpy too, and their setup cells and solutions import Triton
for all of them. With this the imports and `@triton.jit` work, and whoever goes on to use Triton reads what is missing.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, NoReturn

SAID = "this needs Triton, which is not installed here; `tilewise doctor` says what to do"


class NeedsTriton(AttributeError):
    """Triton is used where there is none. As an AttributeError it makes `from triton import ...` an ImportError."""


class StandIn(ModuleType):
    """A module with only what is set on it. Not a package, so that it has no other submodules either."""

    def __init__(self, name: str, raises: type[AttributeError], **attributes: Any):
        super().__init__(name)
        self.__spec__ = ModuleSpec(name, None)  # importlib.util.find_spec wants one
        self.raises = raises
        self.__dict__.update(attributes)

    def __getattr__(self, name: str) -> NoReturn:
        raise self.raises(SAID)


class Unusable:
    """A kernel of the function `fn`, or a class of Triton's: it can be named, but not used."""

    def __init__(self, raises: type[AttributeError], fn: Callable[..., Any] | None = None):
        self.raises = raises
        if fn is not None:
            self.fn, self.__name__, self.__module__ = fn, fn.__name__, fn.__module__

    def __getattr__(self, name: str) -> NoReturn:
        raise self.raises(SAID)

    def __getitem__(self, grid: Any) -> NoReturn:
        raise self.raises(SAID)

    def __call__(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise self.raises(SAID)


def missing() -> bool:
    """Whether Triton is not installed, even if the stand-in is."""
    if sys.modules.get("triton"):
        return isinstance(sys.modules["triton"], StandIn)
    try:
        return importlib.util.find_spec("triton") is None
    except ModuleNotFoundError:
        return True


def stand_in(raises: type[AttributeError] = NeedsTriton) -> None:
    """Take Triton's place if it is not installed. raises: what any use of it raises."""
    if isinstance(sys.modules.get("triton"), StandIn) or not missing():
        return
    from torch.utils import _triton

    _triton.has_triton_package()  # torch keeps its first answer, and so does not take this for Triton

    def jit(fn: Callable[..., Any] | None = None, **options: Any) -> Any:
        return jit if fn is None else Unusable(raises, fn)

    language = StandIn("triton.language", raises, constexpr=Unusable(raises))
    descriptor = StandIn("triton.tools.tensor_descriptor", raises, TensorDescriptor=Unusable(raises))
    tools = StandIn("triton.tools", raises, tensor_descriptor=descriptor)
    triton = StandIn("triton", raises, jit=jit, language=language, tools=tools)
    sys.modules |= {module.__name__: module for module in (triton, language, tools, descriptor)}
