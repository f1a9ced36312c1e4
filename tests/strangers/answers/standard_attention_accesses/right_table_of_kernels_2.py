# style: right; a table of the kernels with what they read and write
def standard_attention_accesses(n: int, d: int) -> tuple[int, int]:
    size = dict.fromkeys("QKVO", n * d) | dict.fromkeys("SP", n * n)
    kernels = [("QK", "S"), ("S", "P"), ("PV", "O")]
    loads = stores = 0
    for operands, result in kernels:
        for name in operands:
            loads += size[name]
        stores += size[result]
    return loads, stores
