# Rounds the registers of a whole block up to 256, as old GPUs did, and does not know of quarters
def occupancy(
    threads: int, registers: int, shared: int, max_warps: int = 64, max_blocks: int = 32,
    register_file: int = 65536, shared_memory: int = 233472,
) -> tuple[int, int]:  # fmt: skip
    warps = -(-threads // 32)
    per_block = -(-(warps * 32 * registers) // 256) * 256
    per_shared = -(-(shared + 1024) // 128) * 128
    blocks = min(max_blocks, max_warps // warps, register_file // per_block, shared_memory // per_shared)
    return blocks, blocks * warps
