# Bisects for the largest number of blocks that still fits
def occupancy(
    threads: int, registers: int, shared: int, max_warps: int = 64, max_blocks: int = 32,
    register_file: int = 65536, shared_memory: int = 233472,
) -> tuple[int, int]:  # fmt: skip
    from bisect import bisect_left

    warps = len(range(0, threads, 32))
    registers_of_warp = 32 * 8 * len(range(0, registers, 8))

    def too_many(blocks):
        if blocks > max_blocks or blocks * warps > max_warps:
            return True
        busiest = -(-blocks * warps // 4)  # warps of the fullest scheduler, if they are dealt out evenly
        if busiest * registers_of_warp > register_file // 4:
            return True
        return blocks * 128 * len(range(0, shared + 1024, 128)) > shared_memory

    blocks = bisect_left(range(max_blocks + 2), True, key=too_many) - 1
    return blocks, blocks * warps
