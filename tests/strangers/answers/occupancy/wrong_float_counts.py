# math.ceil and floor division of floats: numbers like 8.0, not ints
def occupancy(
    threads: int, registers: int, shared: int, max_warps: int = 64, max_blocks: int = 32,
    register_file: int = 65536, shared_memory: int = 233472,
) -> tuple[int, int]:  # fmt: skip
    import numpy as np

    warps = np.ceil(threads / 32.0)
    by_registers = 4 * np.floor(register_file / 4 / (256 * np.ceil(registers / 8.0)))
    by_shared = np.floor(shared_memory / (128 * np.ceil((shared + 1024) / 128.0)))
    blocks = min(float(max_blocks), np.floor(max_warps / warps), np.floor(by_registers / warps), by_shared)
    return float(blocks), float(blocks * warps)
