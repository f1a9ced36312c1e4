# Rounds a warp's registers up to 512, the unit of some older GPUs
def occupancy(
    threads: int, registers: int, shared: int, max_warps: int = 64, max_blocks: int = 32,
    register_file: int = 65536, shared_memory: int = 233472,
) -> tuple[int, int]:  # fmt: skip
    warps = -(-threads // 32)
    by_registers = 4 * (register_file // 4 // (512 * -(-registers // 16))) // warps
    by_shared = shared_memory // (128 * -(-(shared + 1024) // 128))
    blocks = min(max_blocks, max_warps // warps, by_registers, by_shared)
    return blocks, blocks * warps
