# Counts warps as blocks * threads // 32: the partly filled ones of different blocks are put together
def occupancy(
    threads: int, registers: int, shared: int, max_warps: int = 64, max_blocks: int = 32,
    register_file: int = 65536, shared_memory: int = 233472,
) -> tuple[int, int]:  # fmt: skip
    per_block = -(-threads // 32)
    by_registers = 4 * (register_file // 4 // (256 * -(-registers // 8))) // per_block
    by_shared = shared_memory // (128 * -(-(shared + 1024) // 128))
    blocks = min(max_blocks, max_warps // per_block, by_registers, by_shared)
    return blocks, blocks * threads // 32
