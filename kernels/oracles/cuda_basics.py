"""The oracles of `cuda_basics`."""

from math import ceil

from torch import Tensor


def scaled(x: Tensor, factor: Tensor | float) -> Tensor:
    return x * factor


def reversed_tiles(x: Tensor) -> Tensor:
    return x.new_tensor([number for tile in x.split(256) for number in tile.tolist()[::-1]])


def transposed(x: Tensor) -> Tensor:
    return x.T.contiguous()


def placed(
    threads: int,
    registers: int,
    shared: int,
    max_warps: int = 64,
    max_blocks: int = 32,
    register_file: int = 65536,
    shared_memory: int = 233472,
) -> tuple[int, int]:
    """The multiprocessor filled block by block, its warps dealt out to the schedulers one by one."""
    warps, each = ceil(threads / 32), 256 * ceil(registers / 8)
    free, bytes_each = 4 * [register_file // 4], 128 * ceil((shared + 1024) / 128)
    blocks = 0
    while blocks < max_blocks and (blocks + 1) * warps <= max_warps and (blocks + 1) * bytes_each <= shared_memory:
        for _ in range(warps):
            most = free.index(max(free))
            free[most] -= each
        if min(free) < 0:
            break
        blocks += 1
    return blocks, blocks * warps
