# style: right; a matmul's cost from its shapes, tensors as tuples
def prefill_cost(batch: int, n: int, heads: int, d: int, itemsize: int) -> tuple[int, int]:
    from math import prod

    def product(rows, inner, columns):
        return 2 * rows * inner * columns

    Q = K = V = O = (batch, heads, n, d)
    one_head = product(n, d, n) + product(n, n, d)
    flops = sum(one_head for _ in range(1)) * batch * heads
    return flops, itemsize * sum(prod(x) for x in (Q, K, V, O))
