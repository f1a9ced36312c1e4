# right: asks whether one block more still fits, with the warps dealt out to the fullest of four schedulers
def occupancy(
    threads: int, registers: int, shared: int, max_warps: int = 64, max_blocks: int = 32,
    register_file: int = 65536, shared_memory: int = 233472,
) -> tuple[int, int]:  # fmt: skip
    """How many blocks of a kernel, and warps, are resident on one multiprocessor at a time.

    threads: of a block, 1 to 1024. registers: of a thread, 1 to 255. shared: bytes of a block.
    The multiprocessor, by default that of an H100 or H200, has room for max_warps warps (a
    multiple of 4), max_blocks blocks, register_file registers, and shared_memory bytes.
    Registers are allotted by the warp, those of each thread rounded up to a multiple of 8. A
    quarter of the register_file, a multiple of 1024, lies with each of four schedulers; a warp
    belongs to one of them, no matter which. Of shared memory a block takes 1024 bytes more than
    it asks for, rounded up to a multiple of 128.
    Returns blocks and warps, whole numbers (int); both 0 where not even one block fits.

    NVIDIA, CUDA C++ Programming Guide, compute capability 9.0, and cuda_occupancy.h.
    """
    per_block = (threads + 31) // 32
    of_a_warp = 256 * ((registers + 7) // 8)
    bytes_of_a_block = (shared + 1024 + 127) // 128 * 128

    def fits(blocks):
        warps = blocks * per_block
        on_one_scheduler = (warps + 3) // 4  # as evenly as can be
        return (
            blocks <= max_blocks
            and warps <= max_warps
            and 4 * on_one_scheduler * of_a_warp <= register_file
            and blocks * bytes_of_a_block <= shared_memory
        )

    blocks = 0
    while fits(blocks + 1):
        blocks += 1
    return blocks, blocks * per_block
