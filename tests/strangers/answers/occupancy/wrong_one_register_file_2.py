# Wrong: fills one register file of 65536, and not four quarters with whole warps each.
# Breaks: "a quarter of it lies with each of four schedulers; a warp belongs to one of them".
def occupancy(
    threads, registers, shared, max_warps=64, max_blocks=32, register_file=65536, shared_memory=233472
):
    warps = -(-threads // 32)
    per_warp = -(-registers // 8) * 8 * 32
    taken = -(-(shared + 1024) // 128) * 128
    blocks = min(max_blocks, max_warps // warps, register_file // per_warp // warps, shared_memory // taken)
    return blocks, blocks * warps
