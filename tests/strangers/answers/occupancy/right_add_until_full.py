# adds blocks one by one, dealing warps to schedulers, until something no longer fits
def occupancy(
    threads: int, registers: int, shared: int, max_warps: int = 64, max_blocks: int = 32,
    register_file: int = 65536, shared_memory: int = 233472,
) -> tuple[int, int]:  # fmt: skip

    warps = len(range(0, threads, 32))
    allotted = 32 * len(range(0, registers, 8)) * 8  # registers of a warp
    taken = len(range(0, shared + 1024, 128)) * 128  # shared memory of a block

    free = [register_file // 4] * 4
    blocks = 0
    while blocks < max_blocks:
        if (blocks + 1) * warps > max_warps or (blocks + 1) * taken > shared_memory:
            break
        trial = list(free)
        for _ in range(warps):
            roomiest = max(range(4), key=trial.__getitem__)
            trial[roomiest] -= allotted
        if min(trial) < 0:
            break
        free = trial
        blocks += 1
    return blocks, blocks * warps
