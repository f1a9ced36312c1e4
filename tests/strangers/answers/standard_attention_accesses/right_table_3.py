# a table of kernels, and zip(*...) over it
from collections import namedtuple

Kernel = namedtuple("Kernel", "reads writes")


def standard_attention_accesses(n: int, d: int) -> tuple[int, int]:
    tall, square = n * d, n * n
    kernels = [
        Kernel(reads=tall + tall, writes=square),  # S = Q K^T
        Kernel(reads=square, writes=square),  # P = softmax(S)
        Kernel(reads=square + tall, writes=tall),  # O = P V
    ]
    loads, stores = map(sum, zip(*kernels))
    return loads, stores
