"""Softmax of rows in CUDA C++ by a thread, a block, and warps; a block's reduction, which the
lesson hands out broken.

The kernels are in kernels/cuda/NAME.cu; these are their launchers. Left out: 16-bit numbers,
strides, the backward pass, and rows that are split between blocks.
"""

import torch
from simt import cdiv, kernel
from torch import Tensor


def power_of_two(n: int) -> int:
    """The smallest power of two that is at least n. n: 1 or more. Returns an int."""
    return 1 << (n - 1).bit_length()


def thread_softmax(x: Tensor) -> Tensor:
    """Softmax along the rows, one thread for each row.

    x: (R, N) float32, contiguous, rows of any length; entries may be -inf (masked), not +inf.
    Returns y (R, N) float32; a row of -inf gives zeros.
    Bytes moved: at most those of x three times, and those of y once. A thread has its row to
    itself: nothing goes through shared memory, votes or shuffles, and it passes no barriers.

        m = max_j x_j        l = sum_j exp(x_j - m)        y_i = exp(x_i - m) / l
    """
    rows, cols = x.shape
    y = torch.empty_like(x)
    threads = 128
    kernel("thread_softmax")[cdiv(rows, threads), threads](x, y, rows, cols)
    return y


def center_row(x: Tensor) -> Tensor:
    """Every row minus its mean, one block of 256 threads for each row.

    x: (R, N) float32, contiguous, of any size.
    Returns y (R, N) float32: y_ij = x_ij - (x_i0 + x_i1 + ...) / N.
    Bytes moved: at most those of x twice, and those of y once. The threads share the row
    evenly: none loads or stores more than half as much again as its share, in pieces of 16
    bytes, and none adds up alone what the others have stored in shared memory or shuffled: a
    thread reads there at most 64 numbers of others and passes at most 20 barriers, those of its
    warp too, and a warp shuffles or votes at most 16 times. For a bank of shared memory a row's
    lanes wait at most 128 times: less than atomics on one number take.
    """
    rows, cols = x.shape
    y = torch.empty_like(x)
    threads = 256
    kernel("center_row", THREADS=threads)[rows, threads](x, y, cols)
    return y


def block_softmax(x: Tensor) -> Tensor:
    """Softmax along rows of any length, one block of 256 threads for each row.

    x: (R, N) float32, contiguous; entries may be -inf (masked).
    Returns y (R, N) float32; a row of -inf gives zeros.
    Bytes moved: at most those of x three times, and those of y once, in whole sectors; no
    lane waits for a bank. The threads share the row evenly, as in `center_row`, its
    exponentials too: three for each of a thread's numbers, and some to merge. For each of two
    merges a thread reads at most 20 numbers of others and passes at most 20 barriers, those of
    its warp too; a warp shuffles or votes at most 32 times.

    Harris, *Optimizing Parallel Reduction in CUDA* (2007), for partial results that are merged
    by halves in shared memory.
    """
    rows, cols = x.shape
    y = torch.empty_like(x)
    threads = 256
    kernel("block_softmax", THREADS=threads)[rows, threads](x, y, cols)
    return y


def warp_softmax(x: Tensor) -> Tensor:
    """Softmax along the rows, read once: one warp for a short row, several for a long one.

    x: (R, N) float32, contiguous; entries may be -inf (masked). Rows of more than 32768 columns
    do not fit into the registers of a block and go to `block_softmax`.
    Returns y (R, N) float32; a row of -inf gives zeros.
    Bytes moved: those of x once, and those of y once, in whole sectors. In between a thread
    keeps what it has read; to shared memory a block writes two numbers of each warp, at most
    four, and 64 beside, for whoever needs them. No lane waits for a bank. A row's threads share
    it evenly, as in `block_softmax`; for a row a warp shuffles or votes at most 32 times, as
    there, and a thread passes at most 20 barriers, and none where a row has a single warp.
    """
    rows, cols = x.shape
    if cols > 32768:
        return block_softmax(x)
    y = torch.empty_like(x)
    warps = min(power_of_two(cdiv(cols, 512)), 32)  # 16 numbers in a thread, in long rows more
    vector = 4 if cols % 4 == 0 and x.data_ptr() % 16 == 0 else 1
    chunks = power_of_two(cdiv(cols, 32 * warps * vector))
    together = 4 if warps == 1 else 1  # rows of a block
    launch = kernel("warp_softmax", VECTOR=vector, CHUNKS=chunks)
    launch[cdiv(rows, together), (32 * warps, together)](x, y, rows, cols)
    return y
