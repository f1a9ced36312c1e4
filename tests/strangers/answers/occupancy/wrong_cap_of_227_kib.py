# refuses whatever asks for more than 227 KiB, on any multiprocessor (shows with a larger shared_memory)
import math

import torch
from torch import Tensor

def occupancy(
    threads: int, registers: int, shared: int, max_warps: int = 64, max_blocks: int = 32,
    register_file: int = 65536, shared_memory: int = 233472,
) -> tuple[int, int]:  # fmt: skip
    """How many blocks of a kernel, and warps, are resident on one multiprocessor at a time.

    threads: of a block, 1 to 1024. registers: of a thread, 1 to 255. shared: bytes of a block.
    The multiprocessor, by default that of an H100 or H200, has room for max_warps warps and
    max_blocks blocks, for register_file registers, and for shared_memory bytes.
    Registers are allotted by the warp, those of each thread rounded up to a multiple of 8. A
    quarter of the register_file, a multiple of 1024, lies with each of four schedulers; a warp
    belongs to one of them, no matter which. Of shared memory a block takes 1024 bytes more than
    it asks for, rounded up to a multiple of 128.
    Returns blocks and warps, whole numbers (int); both 0 where not even one block fits.

    NVIDIA, CUDA C++ Programming Guide, compute capability 9.0, and cuda_occupancy.h.
    """
    if shared > 227 * 1024:
        return 0, 0
    warps = -(-threads // 32)
    by_registers = 4 * (register_file // 4 // (32 * (-(-registers // 8) * 8))) // warps
    by_shared = shared_memory // (-(-(shared + 1024) // 128) * 128)
    blocks = min(max_blocks, max_warps // warps, by_registers, by_shared)
    return blocks, blocks * warps
