# helpers for rounding, a dict of limits and min() over it
import math


def occupancy(
    threads: int, registers: int, shared: int, max_warps: int = 64, max_blocks: int = 32,
    register_file: int = 65536, shared_memory: int = 233472,
) -> tuple[int, int]:  # fmt: skip
    def round_up(x: int, unit: int) -> int:
        return math.ceil(x / unit) * unit

    warps = math.ceil(threads / 32)
    registers_of_a_warp = 32 * round_up(registers, 8)
    warps_with_registers = 4 * (register_file // 4 // registers_of_a_warp)
    limits = {
        "blocks": max_blocks,
        "warps": max_warps // warps,
        "registers": warps_with_registers // warps,
        "shared": shared_memory // round_up(shared + 1024, 128),
    }
    blocks = min(limits.values())
    return blocks, blocks * warps
