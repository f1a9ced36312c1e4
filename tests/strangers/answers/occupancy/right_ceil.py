# style: lambda rounding helper, min over a dict of limits
def occupancy(
    threads: int, registers: int, shared: int, max_warps: int = 64, max_blocks: int = 32,
    register_file: int = 65536, shared_memory: int = 233472,
) -> tuple[int, int]:  # fmt: skip
    round_up = lambda x, unit: (x + unit - 1) // unit * unit  # noqa: E731
    warps = round_up(threads, 32) // 32
    per_warp = round_up(registers, 8) * 32
    warps_by_registers = 4 * ((register_file // 4) // per_warp)  # a warp within one quarter
    limits = {
        "warps": max_warps // warps,
        "blocks": max_blocks,
        "registers": warps_by_registers // warps,
        "shared": shared_memory // round_up(shared + 1024, 128),
    }
    blocks = min(limits.values())
    return blocks, blocks * warps
