# A ledger of the three kernels with their operands and results, summed by name.
def standard_attention_accesses(n: int, d: int) -> tuple[int, int]:
    size = {"Q": n * d, "K": n * d, "V": n * d, "O": n * d, "S": n * n, "P": n * n}
    ledger = [("QK", "S"), ("S", "P"), ("PV", "O")]
    loads = sum(size[name] for operands, _ in ledger for name in operands)
    stores = sum(size[name] for _, result in ledger for name in result)
    return loads, stores
