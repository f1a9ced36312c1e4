# Right: a dict of limits, math.inf-free, min over values; helper ceil with keyword-only step; match on zero
def _up(x: int, *, to: int) -> int:
    return -(-x // to) * to


def occupancy(
    threads: int, registers: int, shared: int, max_warps: int = 64, max_blocks: int = 32,
    register_file: int = 65536, shared_memory: int = 233472,
) -> tuple[int, int]:  # fmt: skip
    warps = _up(threads, to=32) // 32
    per_warp = _up(registers, to=8) * 32
    warps_by_registers = 4 * (register_file // 4 // per_warp)
    limits = {
        "blocks": max_blocks,
        "warps": max_warps // warps,
        "registers": warps_by_registers // warps,
        "shared": shared_memory // _up(shared + 1024, to=128),
    }
    blocks = min(limits.values())
    # print("limited by", min(limits, key=limits.get))
    return blocks, blocks * warps
