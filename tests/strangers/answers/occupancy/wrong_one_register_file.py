# Allots by the warp, but from one file: where a quarter has a rest, a warp too many
def occupancy(
    threads: int, registers: int, shared: int, max_warps: int = 64, max_blocks: int = 32,
    register_file: int = 65536, shared_memory: int = 233472,
) -> tuple[int, int]:  # fmt: skip
    warps_per_block = (threads + 31) // 32
    regs_per_warp = (registers + 7) // 8 * 8 * 32
    smem_per_block = (shared + 1024 + 127) // 128 * 128
    active_blocks = min(
        max_blocks,
        max_warps // warps_per_block,
        (register_file // regs_per_warp) // warps_per_block,
        shared_memory // smem_per_block,
    )
    return active_blocks, active_blocks * warps_per_block
