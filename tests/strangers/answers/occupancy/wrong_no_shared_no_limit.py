# Wrong: a block that asks for no shared memory is not limited by it, and takes none.
# Breaks: "Of shared memory a block takes 1024 bytes more than it asks for, rounded up to a multiple of 128."
def occupancy(
    threads, registers, shared, max_warps=64, max_blocks=32, register_file=65536, shared_memory=233472
):
    warps = -(-threads // 32)
    per_warp = -(-registers // 8) * 8 * 32
    by_registers = 4 * (register_file // 4 // per_warp) // warps
    blocks = min(max_blocks, max_warps // warps, by_registers)
    if shared:
        blocks = min(blocks, shared_memory // (-(-(shared + 1024) // 128) * 128))
    return blocks, blocks * warps
