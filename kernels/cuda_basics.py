"""First CUDA C++ kernels: a vector times a number, and three that the lesson hands out broken.

The kernels are in kernels/cuda/NAME.cu; these are their launchers. Left out: 16-bit numbers and
strides.
"""

import torch
from simt import cdiv, kernel
from torch import Tensor


def scale_vector(x: Tensor, factor: float) -> Tensor:
    """A vector times a number, one thread for each element.

    x: (n,) float32, contiguous, fewer than 2^30 elements. factor: a number.
    Returns y (n,) float32: y_i = factor x_i.
    Bytes moved: those of x once, and those of y once.
    """
    y = torch.empty_like(x)
    n, threads = x.numel(), 256
    kernel("scale_vector")[cdiv(n, threads), threads](x, y, n, float(factor))
    return y


def scale_columns(x: Tensor, factor: Tensor) -> Tensor:
    """Each column of a matrix times a number of its own, one thread for each element.

    x: (R, N) float32, contiguous, fewer than 2^30 elements. factor: (N,) float32, contiguous.
    Returns y (R, N) float32: y_ij = x_ij factor_j.
    Bytes moved: those of x once, and those of y once; factor comes from the cache.
    """
    rows, cols = x.shape
    y = torch.empty_like(x)
    threads = 256
    kernel("scale_columns")[cdiv(rows * cols, threads), threads](x, factor, y, rows, cols)
    return y


def reverse_tile(x: Tensor) -> Tensor:
    """Every tile of 256 numbers of a vector written backwards, one block for each tile.

    x: (n,) float32, contiguous, fewer than 2^30 elements.
    Returns y (n,) float32; the last tile, which may be shorter, is reversed by itself.
    Bytes moved: those of x once, and those of y once.
    """
    y = torch.empty_like(x)
    n, tile = x.numel(), 256
    kernel("reverse_tile", TILE=tile)[cdiv(n, tile), tile](x, y, n)
    return y


def transpose_tile(x: Tensor) -> Tensor:
    """The transpose of a matrix, by tiles of 32 x 32, one block for each.

    x: (R, N) float32, contiguous, fewer than 2^31 elements.
    Returns y (N, R) float32, contiguous: y_ji = x_ij.
    Bytes moved: those of x once, and those of y once, in whole sectors.
    """
    rows, cols = x.shape
    y = x.new_empty(cols, rows)
    grid = cdiv(cols, 32), cdiv(rows, 32)
    kernel("transpose_tile")[grid, (32, 32)](x, y, rows, cols)
    return y
