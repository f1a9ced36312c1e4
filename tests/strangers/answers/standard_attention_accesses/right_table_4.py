# style: table of kernels as data, sum with generator
from collections import namedtuple

Kernel = namedtuple("Kernel", "reads writes")


def standard_attention_accesses(n: int, d: int) -> tuple[int, int]:
    narrow, square = n * d, n * n
    kernels = (
        Kernel(reads=(narrow, narrow), writes=(square,)),  # S = Q K^T
        Kernel(reads=(square,), writes=(square,)),  # P = softmax(S)
        Kernel(reads=(square, narrow), writes=(narrow,)),  # O = P V
    )
    loads = sum(sum(kernel.reads) for kernel in kernels)
    stores = sum(sum(kernel.writes) for kernel in kernels)
    return loads, stores
