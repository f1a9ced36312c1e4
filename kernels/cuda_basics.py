"""First CUDA C++ kernels: a vector times a number, and three that the lesson hands out broken.

The kernels are in kernels/cuda/NAME.cu; these are their launchers; and how many blocks of a
kernel a multiprocessor holds. Left out: 16-bit numbers and strides.
"""

import torch
from simt import cdiv, kernel
from torch import Tensor


def scale_vector(x: Tensor, factor: float) -> Tensor:
    """A vector times a number, one thread for each element.

    x: (n,) float32, finite, contiguous, fewer than 2^30 elements. factor: a number.
    Returns y (n,) float32: y_i = factor x_i.
    Bytes moved: those of x once, and those of y once, in whole sectors. A block moves 256
    elements, a thread at most four of them.
    """
    y = torch.empty_like(x)
    n, threads = x.numel(), 256
    kernel("scale_vector")[cdiv(n, threads), threads](x, y, n, float(factor))
    return y


def scale_columns(x: Tensor, factor: Tensor) -> Tensor:
    """Each column of a matrix times a number of its own, one thread for each element.

    x: (R, N) float32, contiguous, fewer than 2^30 elements. factor: (N,) float32, contiguous.
    Returns y (R, N) float32: y_ij = x_ij factor_j.
    Bytes moved: those of x once, and those of y once, in whole sectors, beside at most as many
    of factor, which the cache has. A block moves 256 elements, a thread at most four of them.
    """
    rows, cols = x.shape
    y = torch.empty_like(x)
    threads = 256
    kernel("scale_columns")[cdiv(rows * cols, threads), threads](x, factor, y, rows, cols)
    return y


def reverse_tile(x: Tensor) -> Tensor:
    """Every tile of 256 numbers of a vector written backwards, by blocks of as many threads.

    x: (n,) float32, contiguous, fewer than 2^30 elements.
    Returns y (n,) float32; the last tile, which may be shorter, is reversed by itself.
    Bytes moved: those of x once, and those of y once. A thread stores one number, or up
    to four, and passes at most four barriers.
    """
    y = torch.empty_like(x)
    n, tile = x.numel(), 256
    kernel("reverse_tile", TILE=tile)[cdiv(n, tile), tile](x, y, n)
    return y


def transpose_tile(x: Tensor) -> Tensor:
    """The transpose of a matrix, by tiles of 1024 numbers, each by a block of 32 x 32 threads.

    x: (R, N) float32, contiguous, fewer than 2^31 elements.
    Returns y (N, R) float32, contiguous: y_ji = x_ij.
    Bytes moved: those of x once, and those of y once, in whole sectors, neighbours by
    neighbouring lanes. Every number goes through shared memory, and no lane waits for a bank; a
    thread stores one number, or up to four, and passes at most four barriers.
    """
    rows, cols = x.shape
    y = x.new_empty(cols, rows)
    grid = cdiv(cols, 32), cdiv(rows, 32)
    kernel("transpose_tile")[grid, (32, 32)](x, y, rows, cols)
    return y


def occupancy(
    threads: int, registers: int, shared: int, max_warps: int = 64, max_blocks: int = 32,
    register_file: int = 65536, shared_memory: int = 233472,
) -> tuple[int, int]:  # fmt: skip
    """How many blocks of a kernel, and warps, are resident on one multiprocessor at a time.

    threads: of a block, 1 to 1024. registers: of a thread, 1 to 255. shared: bytes of a block.
    The multiprocessor, by default that of an H100 or H200, has room for max_warps warps (a
    multiple of 4), max_blocks blocks, register_file registers, and shared_memory bytes.
    Registers are allotted by the warp, those of each thread rounded up to a multiple of 8. The
    register_file is a multiple of 1024, and a quarter of it lies with each of four schedulers;
    a warp belongs to one of them, no matter which. Of shared memory a block takes 1024 bytes
    more than it asks for, rounded up to a multiple of 128.
    Returns blocks and warps, whole numbers (int); both 0 where not even one block fits.

    NVIDIA, CUDA C++ Programming Guide, compute capability 9.0, and cuda_occupancy.h.
    """
    ### BEGIN SOLUTION
    warps = -(-threads // 32)  # a begun warp takes the room of a whole one
    of_warp = 32 * 8 * -(-registers // 8)
    by_registers = 4 * (register_file // 4 // of_warp) // warps
    by_shared = shared_memory // (128 * -(-(shared + 1024) // 128))
    blocks = min(max_blocks, max_warps // warps, by_registers, by_shared)
    return blocks, blocks * warps
    ### END SOLUTION
