# Right: a table of kernels as dictionaries, summed by comprehensions.
def standard_attention_accesses(n: int, d: int) -> tuple[int, int]:
    size = {name: n * d for name in "QKVO"} | {name: n * n for name in "SP"}
    kernels = [
        {"reads": "QK", "writes": "S"},
        {"reads": "S", "writes": "P"},
        {"reads": "PV", "writes": "O"},
    ]
    loads, stores = (
        sum(size[name] for kernel in kernels for name in kernel[way]) for way in ("reads", "writes")
    )
    return loads, stores
