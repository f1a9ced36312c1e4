# right: the three kernels as a table of operand and result names
def standard_attention_accesses(n, d):
    size = dict.fromkeys("QKVO", n * d) | dict.fromkeys("SP", n * n)
    loads = stores = 0
    for line in ("QK S", "S P", "PV O"):
        operands, results = line.split()
        loads += sum(size[name] for name in operands)
        stores += sum(size[name] for name in results)
    return loads, stores
