# right: a table of the three kernels by names of tensors, and a dictionary of their sizes
def standard_attention_accesses(n: int, d: int) -> tuple[int, int]:
    size = dict.fromkeys("QKVO", n * d) | dict.fromkeys("SP", n**2)
    kernels = [("QK", "S"), ("S", "P"), ("PV", "O")]
    loads = sum(size[name] for operands, _ in kernels for name in operands)
    stores = sum(size[result] for _, result in kernels)
    return loads, stores
