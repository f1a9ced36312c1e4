# right: a simulation that lets blocks in one after the other, each of its warps to the scheduler with most registers left, until one does not fit.
def occupancy(
    threads: int, registers: int, shared: int, max_warps: int = 64, max_blocks: int = 32,
    register_file: int = 65536, shared_memory: int = 233472,
) -> tuple[int, int]:  # fmt: skip
    warps = (threads + 31) // 32
    need = 32 * ((registers + 7) & ~7)
    taken = (shared + 1024 + 127) // 128 * 128
    free = [register_file // 4] * 4
    places, memory = max_warps, shared_memory
    blocks = 0
    while blocks < max_blocks and places >= warps and memory >= taken:
        for _ in range(warps):
            roomiest = max(range(4), key=free.__getitem__)
            free[roomiest] -= need
        if min(free) < 0:
            break
        places -= warps
        memory -= taken
        blocks += 1
    return blocks, blocks * warps
