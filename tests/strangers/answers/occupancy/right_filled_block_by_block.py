# Simulates the launch: blocks are placed one after the other, each warp in the emptiest quarter, until something runs out
def occupancy(
    threads: int, registers: int, shared: int, max_warps: int = 64, max_blocks: int = 32,
    register_file: int = 65536, shared_memory: int = 233472,
) -> tuple[int, int]:  # fmt: skip
    per_block = (threads + 31) // 32
    per_warp = (registers + 7) // 8 * 8 * 32
    bytes_per_block = (shared + 1024 + 127) // 128 * 128
    quarters = [register_file // 4 for _ in range(4)]
    blocks, bytes_left = 0, shared_memory
    while blocks < max_blocks and (blocks + 1) * per_block <= max_warps and bytes_left >= bytes_per_block:
        trial = sorted(quarters)
        for _ in range(per_block):
            trial[-1] -= per_warp
            trial.sort()
        if trial[0] < 0:
            break
        quarters = trial
        bytes_left -= bytes_per_block
        blocks += 1
    return blocks, blocks * per_block
