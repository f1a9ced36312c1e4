# The minimum of the warps that each resource has room for: warps of a block that is not whole are counted
def occupancy(
    threads: int, registers: int, shared: int, max_warps: int = 64, max_blocks: int = 32,
    register_file: int = 65536, shared_memory: int = 233472,
) -> tuple[int, int]:  # fmt: skip
    warps = -(-threads // 32)
    by_registers = 4 * (register_file // 4 // (256 * -(-registers // 8)))
    by_shared = shared_memory // (128 * -(-(shared + 1024) // 128)) * warps
    resident = min(max_blocks * warps, max_warps, by_registers, by_shared)
    return resident // warps, resident
