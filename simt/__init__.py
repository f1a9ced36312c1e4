"""CUDA C++ from Python: a .cu file is compiled and launched on torch tensors, on a GPU or without one.

Read in this order: `source` (where a kernel's text comes from), `kernel` (the launch), `gpu` (NVRTC), `cpu` (g++), and
`runtime/` in C++ (a block's threads as fibers, and the instruments that watch their accesses).
"""

from .kernel import cdiv, kernel
from .source import using

__all__ = ["cdiv", "kernel", "using"]
