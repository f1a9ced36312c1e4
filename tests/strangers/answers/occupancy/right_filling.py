# style: simulates: puts blocks in until one does not fit
def occupancy(
    threads: int, registers: int, shared: int, max_warps: int = 64, max_blocks: int = 32,
    register_file: int = 65536, shared_memory: int = 233472,
) -> tuple[int, int]:  # fmt: skip
    def up(number: int, step: int) -> int:
        return (number + step - 1) // step * step

    warps, block_shared = up(threads, 32) // 32, up(shared + 1024, 128)
    room = [register_file // 4] * 4  # registers that each scheduler has left
    need, blocks = 32 * up(registers, 8), 0
    while blocks < max_blocks and (blocks + 1) * warps <= max_warps:
        if (blocks + 1) * block_shared > shared_memory:
            break
        for _ in range(warps):
            most = room.index(max(room))
            if room[most] < need:
                return blocks, blocks * warps
            room[most] -= need
        blocks += 1
    return blocks, blocks * warps
