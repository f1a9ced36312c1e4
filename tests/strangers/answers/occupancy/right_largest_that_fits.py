# Tries block counts from max_blocks downwards and returns the first that satisfies all four conditions
def occupancy(
    threads: int, registers: int, shared: int, max_warps: int = 64, max_blocks: int = 32,
    register_file: int = 65536, shared_memory: int = 233472,
) -> tuple[int, int]:  # fmt: skip
    def up(x, unit):
        return x + (-x) % unit

    warps = up(threads, 32) // 32
    slots = 4 * (register_file // (4 * 32 * up(registers, 8)))
    for blocks in range(max_blocks, 0, -1):
        total = blocks * warps
        if total <= max_warps and total <= slots and blocks * up(shared + 1024, 128) <= shared_memory:
            return blocks, total
    return 0, 0
