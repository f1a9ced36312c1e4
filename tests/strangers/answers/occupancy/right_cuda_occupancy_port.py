# Ports cuda_occupancy.h: one function for each limit, and the flags of the limiting factor
class Limit:
    def __init__(self, name, blocks):
        self.name, self.blocks = name, blocks

    def __lt__(self, other):
        return self.blocks < other.blocks


def round_up(x, y):
    return ((x + y - 1) // y) * y


def round_down(x, y):
    return x // y * y


def limit_by_registers(register_file, warps, registers):
    per_warp = round_up(registers * 32, 256)
    sides = 4
    per_side = register_file // sides // per_warp
    return per_side * sides // warps


def limit_by_shared(total, shared):
    return total // round_up(shared + 1024, 128)


def occupancy(
    threads: int, registers: int, shared: int, max_warps: int = 64, max_blocks: int = 32,
    register_file: int = 65536, shared_memory: int = 233472,
) -> tuple[int, int]:  # fmt: skip
    warps = round_up(threads, 32) // 32
    limits = [
        Limit("warps", max_warps // warps),
        Limit("blocks", max_blocks),
        Limit("registers", limit_by_registers(register_file, warps, registers)),
        Limit("shared", limit_by_shared(shared_memory, shared)),
    ]
    least = min(limits)
    return least.blocks, least.blocks * warps
