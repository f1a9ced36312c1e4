# Skips the limit of shared memory for a block that asks for none, as old calculators do: 1 KiB is taken all the same
def occupancy(
    threads: int, registers: int, shared: int, max_warps: int = 64, max_blocks: int = 32,
    register_file: int = 65536, shared_memory: int = 233472,
) -> tuple[int, int]:  # fmt: skip
    warps = -(-threads // 32)
    limits = [max_blocks, max_warps // warps]
    limits.append(4 * (register_file // 4 // (256 * -(-registers // 8))) // warps)
    if shared > 0:
        limits.append(shared_memory // (128 * -(-(shared + 1024) // 128)))
    blocks = min(limits)
    return blocks, blocks * warps
