# Refuses blocks of more than 65536 registers, as cuda_occupancy.h does for its chips (regsPerBlock), also where the register file is larger.
def occupancy(
    threads: int, registers: int, shared: int, max_warps: int = 64, max_blocks: int = 32,
    register_file: int = 65536, shared_memory: int = 233472,
) -> tuple[int, int]:  # fmt: skip
    def up(x, unit):
        return (x + unit - 1) // unit * unit

    warps = up(threads, 32) // 32
    per_warp = up(32 * registers, 256)
    if per_warp * warps > 65536:
        return 0, 0
    limits = [max_blocks, max_warps // warps]
    limits.append(register_file // 4 // per_warp * 4 // warps)
    limits.append(shared_memory // up(shared + 1024, 128))
    return min(limits), min(limits) * warps
