# math.ceil and one named bound for each resource, in a list
def occupancy(
    threads: int, registers: int, shared: int, max_warps: int = 64, max_blocks: int = 32,
    register_file: int = 65536, shared_memory: int = 233472,
) -> tuple[int, int]:  # fmt: skip
    import math

    warps_per_block = math.ceil(threads / 32)
    regs_per_warp = math.ceil(registers / 8) * 8 * 32
    warps_by_regs = sum(register_file // 4 // regs_per_warp for _ in range(4))
    smem = math.ceil((shared + 1024) / 128) * 128
    bounds = [
        max_blocks,
        max_warps // warps_per_block,
        warps_by_regs // warps_per_block,
        shared_memory // smem,
    ]
    blocks = min(bounds)
    return blocks, warps_per_block * blocks
