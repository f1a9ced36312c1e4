# Rounds with shifts and masks, as in a driver's C
def occupancy(
    threads: int, registers: int, shared: int, max_warps: int = 64, max_blocks: int = 32,
    register_file: int = 65536, shared_memory: int = 233472,
) -> tuple[int, int]:  # fmt: skip
    warps = (threads + 31) >> 5
    regs = ((registers + 7) & ~7) << 5
    smem = (shared + 1024 + 127) & ~127
    fit = ((register_file >> 2) // regs) << 2
    b = max_blocks
    if max_warps // warps < b:
        b = max_warps // warps
    if fit // warps < b:
        b = fit // warps
    if shared_memory // smem < b:
        b = shared_memory // smem
    return (b, b * warps)
