# style: C programmer: counts blocks up until one does not fit any more
def occupancy(
    threads: int, registers: int, shared: int, max_warps: int = 64, max_blocks: int = 32,
    register_file: int = 65536, shared_memory: int = 233472,
) -> tuple[int, int]:  # fmt: skip
    warps = threads // 32
    if threads % 32:
        warps += 1
    reg = registers
    while reg % 8 != 0:
        reg += 1
    smem = shared + 1024
    smem += -smem % 128
    quarter = register_file // 4 // (32 * reg)
    blocks = 0
    while blocks < max_blocks:
        n = blocks + 1
        if n * warps > max_warps or n * warps > 4 * quarter or n * smem > shared_memory:
            break
        blocks = n
    return blocks, blocks * warps
