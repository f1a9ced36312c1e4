# a small simulation: blocks move in one after another until the next does not fit
class _Multiprocessor:
    def __init__(self, warps, blocks, registers, shared):
        self.warps, self.blocks, self.shared = warps, blocks, shared
        self.quarters = [registers // 4] * 4

    def takes(self, warps, registers, shared):
        """Moves a block in, if there is room; says whether there was."""
        if self.blocks < 1 or self.warps < warps or self.shared < shared:
            return False
        quarters = list(self.quarters)
        for _ in range(warps):
            emptiest = quarters.index(max(quarters))
            if quarters[emptiest] < registers:
                return False
            quarters[emptiest] -= registers
        self.quarters = quarters
        self.blocks -= 1
        self.warps -= warps
        self.shared -= shared
        return True


def occupancy(
    threads: int, registers: int, shared: int, max_warps: int = 64, max_blocks: int = 32,
    register_file: int = 65536, shared_memory: int = 233472,
) -> tuple[int, int]:  # fmt: skip
    warps = (threads + 31) // 32
    of_warp = 32 * ((registers + 7) // 8 * 8)
    of_block = (shared + 1024 + 127) // 128 * 128
    machine, blocks = _Multiprocessor(max_warps, max_blocks, register_file, shared_memory), 0
    while machine.takes(warps, of_warp, of_block):
        blocks += 1
    return blocks, blocks * warps
