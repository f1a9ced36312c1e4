# Right: a table of the kernels with their operands and results, sizes looked up by name.
def standard_attention_accesses(n, d):
    size = dict.fromkeys("QKVO", n * d) | dict.fromkeys("SP", n * n)
    kernels = [("QK", "S"), ("S", "P"), ("PV", "O")]
    loads = sum(size[name] for operands, _ in kernels for name in operands)
    stores = sum(size[result] for _, result in kernels)
    return loads, stores
