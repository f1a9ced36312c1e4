# Divides the whole register file by a block's registers, without schedulers.
def occupancy(
    threads: int, registers: int, shared: int, max_warps: int = 64, max_blocks: int = 32,
    register_file: int = 65536, shared_memory: int = 233472,
) -> tuple[int, int]:
    def up(x, to):
        return (x + to - 1) // to * to

    warps = up(threads, 32) // 32
    per_scheduler = register_file // 4 // (32 * up(registers, 8))
    limits = {
        "warps": max_warps // warps,
        "blocks": max_blocks,
        "registers": register_file // (32 * up(registers, 8) * warps),
        "shared": shared_memory // up(shared + 1024, 128),
    }
    blocks = min(limits.values())
    return blocks, blocks * warps
