# Right: tries numbers of blocks downwards until everything fits.
def occupancy(
    threads: int, registers: int, shared: int, max_warps: int = 64, max_blocks: int = 32,
    register_file: int = 65536, shared_memory: int = 233472,
) -> tuple[int, int]:  # fmt: skip
    warps = -(threads // -32)
    warp_registers = 256 * -(registers // -8)
    bytes_each = 128 * -((shared + 1024) // -128)

    def fits(blocks):
        a_scheduler = -(blocks * warps // -4)  # dealt out in turns
        return (
            blocks * warps <= max_warps
            and a_scheduler * warp_registers <= register_file // 4
            and blocks * bytes_each <= shared_memory
        )

    blocks = next(n for n in range(max_blocks, -1, -1) if fits(n))
    return blocks, blocks * warps
