# Adds the 1 KiB and does not round up to 128 bytes
def occupancy(
    threads: int, registers: int, shared: int, max_warps: int = 64, max_blocks: int = 32,
    register_file: int = 65536, shared_memory: int = 233472,
) -> tuple[int, int]:  # fmt: skip
    warps = -(-threads // 32)
    by_registers = 4 * (register_file // 4 // (256 * -(-registers // 8))) // warps
    by_shared = shared_memory // (shared + 1024)
    blocks = min(max_blocks, max_warps // warps, by_registers, by_shared)
    return blocks, blocks * warps
