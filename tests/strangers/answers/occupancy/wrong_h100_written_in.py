# Writes the limits of the H100 into the code and ignores the arguments for other chips
def occupancy(
    threads: int, registers: int, shared: int, max_warps: int = 64, max_blocks: int = 32,
    register_file: int = 65536, shared_memory: int = 233472,
) -> tuple[int, int]:  # fmt: skip
    warps = -(-threads // 32)
    by_registers = 4 * (16384 // (256 * -(-registers // 8))) // warps
    by_shared = 233472 // (128 * -(-(shared + 1024) // 128))
    blocks = min(32, 64 // warps, by_registers, by_shared)
    return blocks, blocks * warps
