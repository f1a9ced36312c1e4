# Right: a dataclass of the launch with properties, the limits in a dictionary, min over its values.
from dataclasses import dataclass


def round_up(x: int, step: int) -> int:
    return -(-x // step) * step


@dataclass(frozen=True)
class Launch:
    threads: int
    registers: int
    shared: int

    @property
    def warps(self) -> int:
        return round_up(self.threads, 32) // 32

    @property
    def registers_of_a_warp(self) -> int:
        return 32 * round_up(self.registers, 8)

    @property
    def bytes_of_a_block(self) -> int:
        return round_up(self.shared + 1024, 128)


def occupancy(
    threads, registers, shared, max_warps=64, max_blocks=32, register_file=65536,
    shared_memory=233472,
):  # fmt: skip
    launch = Launch(threads, registers, shared)
    by_scheduler = (register_file // 4) // launch.registers_of_a_warp
    limits = {
        "places for blocks": max_blocks,
        "places for warps": max_warps // launch.warps,
        "registers": 4 * by_scheduler // launch.warps,
        "shared memory": shared_memory // launch.bytes_of_a_block,
    }
    blocks = min(limits.values())
    return blocks, blocks * launch.warps
