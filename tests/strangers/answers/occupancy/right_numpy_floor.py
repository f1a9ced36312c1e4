# numpy: an array of the four counts, its minimum as int
def occupancy(
    threads: int, registers: int, shared: int, max_warps: int = 64, max_blocks: int = 32,
    register_file: int = 65536, shared_memory: int = 233472,
) -> tuple[int, int]:  # fmt: skip
    import numpy as np

    w = int(np.ceil(threads / 32))
    room = np.array([max_blocks * w, max_warps, 4 * (register_file // 4 // (256 * ((registers + 7) // 8)))])
    by_place = room // w
    by_shared = shared_memory // (((shared + 1024 + 127) // 128) * 128)
    blocks = int(min(by_place.min(), by_shared))
    return blocks, blocks * w
