# Style: a general "cost of an elementwise function" with one operand and one result.


def relu_cost(n: int, itemsize: int) -> tuple[int, int]:
    def elementwise(operations: int, operands: int, results: int = 1) -> tuple[int, int]:
        return n * operations, n * itemsize * (operands + results)

    return elementwise(operations=1, operands=1)
