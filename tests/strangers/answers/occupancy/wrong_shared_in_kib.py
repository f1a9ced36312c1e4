# Counts shared memory in whole KiB, the system's share among them: blocks whose bytes would fit are lost
def occupancy(
    threads: int, registers: int, shared: int, max_warps: int = 64, max_blocks: int = 32,
    register_file: int = 65536, shared_memory: int = 233472,
) -> tuple[int, int]:  # fmt: skip
    warps = -(-threads // 32)
    by_registers = 4 * (register_file // 4 // (256 * -(-registers // 8))) // warps
    kib = -(-shared // 1024) + 1
    blocks = min(max_blocks, max_warps // warps, by_registers, shared_memory // 1024 // kib)
    return blocks, blocks * warps
