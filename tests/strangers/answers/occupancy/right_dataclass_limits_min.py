# Right: frozen dataclass with defaults, dict of limits, min over values, sys.maxsize sentinel free; negative floor division
from dataclasses import dataclass


def up(n: int, step: int) -> int:
    return -(-n // step) * step


@dataclass(frozen=True, kw_only=True)
class Block:
    threads: int
    registers: int
    shared: int

    @property
    def warps(self) -> int:
        return up(self.threads, 32) // 32

    @property
    def bytes(self) -> int:
        return up(self.shared + 1024, 128)

    @property
    def registers_of_a_warp(self) -> int:
        return 32 * up(self.registers, 8)


def occupancy(
    threads: int, registers: int, shared: int, max_warps: int = 64, max_blocks: int = 32,
    register_file: int = 65536, shared_memory: int = 233472,
) -> tuple[int, int]:  # fmt: skip
    """How many blocks of a kernel, and warps, are resident on one multiprocessor at a time."""
    block = Block(threads=threads, registers=registers, shared=shared)
    limits = {
        "places for blocks": max_blocks,
        "places for warps": max_warps // block.warps,
        "registers": 4 * (register_file // 4 // block.registers_of_a_warp) // block.warps,
        "shared memory": shared_memory // block.bytes,
    }
    scarcest = min(limits, key=limits.get)
    return limits[scarcest], limits[scarcest] * block.warps


print(occupancy(128, 64, 1000), occupancy(96, 104, 1000))
