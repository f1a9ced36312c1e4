# simulation: blocks move in one after another until something has no room; warps go to the scheduler with the most registers left.
class Multiprocessor:
    def __init__(self, warps, blocks, registers, shared):
        self.warps, self.blocks, self.shared = warps, blocks, shared
        self.schedulers = [registers // 4] * 4

    def admit(self, warps, registers_of_warp, shared):
        """Take in one block, if all of it fits."""
        if self.blocks < 1 or self.warps < warps or self.shared < shared:
            return False
        room = list(self.schedulers)
        for _ in range(warps):
            most = max(range(4), key=room.__getitem__)
            if room[most] < registers_of_warp:
                return False
            room[most] -= registers_of_warp
        self.schedulers = room
        self.blocks -= 1
        self.warps -= warps
        self.shared -= shared
        return True


def occupancy(
    threads: int, registers: int, shared: int, max_warps: int = 64, max_blocks: int = 32,
    register_file: int = 65536, shared_memory: int = 233472,
) -> tuple[int, int]:  # fmt: skip
    """How many blocks of a kernel, and warps, are resident on one multiprocessor at a time."""
    warps = sum(1 for _ in range(0, threads, 32))
    registers_of_warp = 32 * (registers + -registers % 8)
    shared += 1024
    shared += -shared % 128
    multiprocessor = Multiprocessor(max_warps, max_blocks, register_file, shared_memory)
    resident = 0
    while multiprocessor.admit(warps, registers_of_warp, shared):
        resident += 1
    return resident, resident * warps
