# style: four numbers and their minimum
def occupancy(
    threads: int, registers: int, shared: int, max_warps: int = 64, max_blocks: int = 32,
    register_file: int = 65536, shared_memory: int = 233472,
) -> tuple[int, int]:  # fmt: skip
    warps = -(-threads // 32)
    by_warps = max_warps // warps
    per_warp = 32 * (-(-registers // 8) * 8)
    by_registers = 4 * (register_file // 4 // per_warp) // warps
    by_shared = shared_memory // (-(-(shared + 1024) // 128) * 128)
    blocks = min(max_blocks, by_warps, by_registers, by_shared)
    return blocks, blocks * warps
