# Right: module-level constants, a nested helper with a default argument, sum over a dict of shapes
from math import prod

MULTIPLY_ADD = 2


def prefill_cost(batch: int, n: int, heads: int, d: int, itemsize: int) -> tuple[int, int]:
    """What attention costs when the n tokens of each prompt attend to each other."""
    shapes = dict.fromkeys("QKVO", (batch, heads, n, d))

    def matmul(m: int, k: int, p: int, copies: int = batch * heads) -> int:
        return MULTIPLY_ADD * copies * m * k * p

    flops = matmul(n, d, n) + matmul(n, n, d)
    return flops, itemsize * sum(prod(shape) for shape in shapes.values())
