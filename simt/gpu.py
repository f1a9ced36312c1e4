"""On a GPU: NVRTC compiles the kernel through cuda.core, and torch's current stream runs it."""

from __future__ import annotations

import ctypes
import io
import os
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import torch

from .errors import CompileError
from .shape import Shape
from .source import INCLUDE, Source, with_constants

SHARED_WITHOUT_ASKING = 48 << 10  # bytes of dynamic shared memory that every kernel may have


@dataclass(frozen=True)
class Built:
    """A kernel for one architecture: registers per thread, bytes spilled or kept in memory, static shared bytes.

    0 registers means unknown: some compilers report only on what they have not compiled before.
    """

    cubin: Any = field(repr=False)
    registers: int
    spilled: int
    shared: int


def launch(source: Source, shape: Shape, arguments: Sequence[Any]) -> None:
    """Run the kernel on torch's current stream. Raises CompileError."""
    from cuda.core import LaunchConfig, Stream
    from cuda.core import launch as start

    device = next(x.device for x in arguments if isinstance(x, torch.Tensor) and x.is_cuda)
    with torch.cuda.device(device):
        compiled = _kernel(source, device.index, shape.shared)
        config = LaunchConfig(grid=shape.grid, block=shape.block, shmem_size=shape.shared)
        start(Stream.from_handle(torch.cuda.current_stream().cuda_stream), config, compiled, *map(_argument, arguments))


@lru_cache(maxsize=256)
def build(source: Source, architecture: str) -> Built:
    """Compile for an architecture such as "sm_90"; needs no GPU. Raises CompileError, ImportError without cuda.core."""
    from cuda.core import Program, ProgramOptions

    options = ProgramOptions(
        name=f"{source.name}.cu",
        arch=architecture,
        include_path=[str(INCLUDE), *headers()],
        define_macro=[(name, str(value)) for name, value in source.defines] or None,
        ptxas_options="-v",
        lineinfo=True,
        std="c++17",
    )
    log = io.StringIO()
    try:
        cubin = Program(with_constants(source.text), "c++", options).compile("cubin", logs=log)
    except Exception as error:
        raise CompileError.from_log(source, f"{error}\n{log.getvalue()}") from None
    said = log.getvalue()
    numbers = (r"Used (\d+) registers", r"(\d+) bytes stack frame", r"(\d+) bytes spill stores", r"(\d+) bytes smem")
    registers, frame, spilled, shared = (int(found[1]) if (found := re.search(p, said)) else 0 for p in numbers)
    return Built(cubin, registers, max(frame, spilled), shared)


@lru_cache(maxsize=1)
def headers() -> list[str]:
    """Folders with CUDA's own headers, cuda_fp16.h among them: from pip packages or an installed toolkit."""
    sites = [Path(p, "nvidia", "cu13", "include") for p in sys.path if p]
    toolkits = [Path(os.environ[v], "include") for v in ("CUDA_HOME", "CUDA_PATH") if v in os.environ]
    found = [p for p in (*sites, *toolkits, Path("/usr/local/cuda/include")) if p.joinpath("cuda_fp16.h").exists()]
    return [str(p) for p in found[:1]]


@lru_cache(maxsize=256)
def _kernel(source: Source, device: int, shared: int) -> Any:
    from cuda.core import Device

    Device(device).set_current()
    major, minor = torch.cuda.get_device_capability(device)
    made = build(source, f"sm_{major}{minor}").cubin.get_kernel(source.name)
    if shared > SHARED_WITHOUT_ASKING:
        _ask_for_shared_memory(made, device, shared)
    return made


def _ask_for_shared_memory(made: Any, device: int, shared: int) -> None:
    """cuda.core 1.2 can only read this attribute, so the driver's own call sets it."""
    from cuda.bindings import driver

    attribute = driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
    kernel, number = driver.CUkernel(int(made.handle)), driver.CUdevice(device)
    (status,) = driver.cuKernelSetAttribute(attribute, shared, kernel, number)
    if status != driver.CUresult.CUDA_SUCCESS:
        raise RuntimeError(f"the GPU has no {shared:,} bytes of shared memory for a block")


def _argument(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return value.data_ptr()
    return ctypes.c_float(value) if isinstance(value, float) else ctypes.c_int(int(value))
