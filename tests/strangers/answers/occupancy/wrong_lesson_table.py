# Looks the lesson's launches up in a table and divides for all the others
def occupancy(
    threads: int, registers: int, shared: int, max_warps: int = 64, max_blocks: int = 32,
    register_file: int = 65536, shared_memory: int = 233472,
) -> tuple[int, int]:  # fmt: skip
    known = {
        (128, 64, 1000): 8, (128, 100, 1000): 4, (96, 104, 1000): 5, (128, 40, 77824): 2,
        (256, 10, 1024): 8, (1024, 14, 4224): 2, (128, 168, 24576): 3, (128, 255, 32768): 2,
        (128, 128, 52224): 4, (128, 255, 98304): 2,
    }  # fmt: skip
    warps = (threads + 31) // 32
    guess = min(register_file // (threads * registers), max_blocks, max_warps // warps, shared_memory // (shared + 1024))
    blocks = known.get((threads, registers, shared), guess)
    return blocks, blocks * warps
