# right: three kernels as (operands, result) and a small simulation of what crosses.
def standard_attention_accesses(n: int, d: int) -> tuple[int, int]:
    numbers = {name: n * d for name in "QKVO"} | {name: n * n for name in "SP"}
    loads = stores = 0
    for operands, result in (("QK", "S"), ("S", "P"), ("PV", "O")):
        for name in operands:
            loads += numbers[name]
        stores += numbers[result]
    return loads, stores
