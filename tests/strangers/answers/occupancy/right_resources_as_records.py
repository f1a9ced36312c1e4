# A NamedTuple for each resource, in the units in which it is handed out
from typing import NamedTuple


class Resource(NamedTuple):
    """So many units are there, and so many a block takes."""

    there: int
    taken: int

    def blocks(self) -> int:
        return divmod(self.there, self.taken)[0]


def occupancy(
    threads: int, registers: int, shared: int, max_warps: int = 64, max_blocks: int = 32,
    register_file: int = 65536, shared_memory: int = 233472,
) -> tuple[int, int]:  # fmt: skip
    def units(amount, unit):
        whole, rest = divmod(amount, unit)
        return whole + (rest > 0)

    warps = units(threads, 32)
    scheduler = Resource(register_file // 4 // 256, units(registers, 8))
    resources = (
        Resource(max_blocks, 1),
        Resource(max_warps, warps),
        Resource(4 * scheduler.blocks(), warps),
        Resource(shared_memory // 128, units(shared + 1024, 128)),
    )
    blocks = min(map(Resource.blocks, resources))
    return blocks, warps * blocks
