# Admits one block and asks itself what the rest of the multiprocessor has room for
def occupancy(
    threads: int, registers: int, shared: int, max_warps: int = 64, max_blocks: int = 32,
    register_file: int = 65536, shared_memory: int = 233472,
) -> tuple[int, int]:  # fmt: skip
    warps = (threads - 1) // 32 + 1
    bytes_each = ((shared + 1024 - 1) // 128 + 1) * 128
    warps_by_registers = 4 * (register_file // 4 // (((registers - 1) // 8 + 1) * 256))

    def admit(blocks_left, warps_left, registers_left, bytes_left):
        if min(blocks_left - 1, warps_left - warps, registers_left - warps, bytes_left - bytes_each) < 0:
            return 0
        return 1 + admit(blocks_left - 1, warps_left - warps, registers_left - warps, bytes_left - bytes_each)

    resident = admit(max_blocks, max_warps, warps_by_registers, shared_memory)
    return resident, resident * warps
