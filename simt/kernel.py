"""kernel(NAME)[grid, block, shared bytes](arguments): the launch, on the device where the tensors are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from .errors import Fault, KernelFault
from .shape import Shape
from .source import Source, source

Axes = int | Sequence[int]  # of a grid or a block: x alone, or x, y and z
THREADS = 1024  # per block, at most


class Kernel:
    """A kernel with its macros, ready to be launched: kernel[grid, block](x, y, n) or kernel[grid, block, shared](...).

    Arguments are torch tensors, which arrive as pointers, and Python's int and float, which arrive as int and float.
    """

    def __init__(self, source: Source):
        self.source = source

    def __getitem__(self, where: tuple[Any, ...]) -> Callable[..., None]:
        shape = Shape(_three(where[0]), _three(where[1]), where[2] if len(where) > 2 else 0)
        return lambda *arguments: self._launch(shape, arguments)

    def compile(self) -> None:
        """Compile it for this machine now instead of at its first launch. Raises CompileError, MissingCompiler."""
        if torch.cuda.is_available():
            from . import gpu

            major, minor = torch.cuda.get_device_capability()
            gpu.build(self.source, f"sm_{major}{minor}")
        else:
            from . import compiler

            compiler.libraries(self.source)

    def _launch(self, shape: Shape, arguments: Sequence[Any]) -> None:
        threads = shape.block[0] * shape.block[1] * shape.block[2]
        if not 0 < threads <= THREADS or min(shape.block) < 1:
            said = f"is launched with blocks of {threads} threads; a block has 1 to {THREADS}"
            raise KernelFault(self.source.name, Fault.LAUNCH_ERROR, said)
        if min(shape.grid) < 0:
            raise KernelFault(self.source.name, Fault.LAUNCH_ERROR, f"is launched with a grid of {shape.grid} blocks")
        if 0 in shape.grid:
            return
        if any(isinstance(x, torch.Tensor) and x.is_cuda for x in arguments):
            from . import gpu as device
        else:
            from . import cpu as device  # type: ignore[no-redef]
        device.launch(self.source, shape, arguments)


def kernel(name: str, **defines: int) -> Kernel:
    """The kernel NAME with macros defined: kernel("flash_mma", D=64)."""
    return Kernel(source(name, defines))


def cdiv(a: int, b: int) -> int:
    """a / b, rounded up: how many tiles of b cover a."""
    return -(-a // b)


def _three(axes: Axes) -> tuple[int, int, int]:
    given = (axes,) if isinstance(axes, int) else tuple(axes)
    x, y, z = (*given, 1, 1, 1)[:3]
    return x, y, z
