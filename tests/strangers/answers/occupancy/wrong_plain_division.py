# Divides the registers by threads * registers and shared memory by shared: no units, no quarters, no system share
def occupancy(
    threads: int, registers: int, shared: int, max_warps: int = 64, max_blocks: int = 32,
    register_file: int = 65536, shared_memory: int = 233472,
) -> tuple[int, int]:  # fmt: skip
    warps = (threads + 31) // 32
    blocks = min(max_blocks, max_warps // warps, register_file // (threads * registers))
    if shared:
        blocks = min(blocks, shared_memory // shared)
    return blocks, blocks * warps
