# one list of shapes for the products and one for the operands
def prefill_cost(batch: int, n: int, heads: int, d: int, itemsize: int) -> tuple[int, int]:
    copies = batch * heads
    products = [(n, d, n), (n, n, d)]  # rows, terms of a sum, columns
    flops = sum(2 * rows * terms * columns for rows, terms, columns in products)
    operands = {"Q": n * d, "K": n * d, "V": n * d, "O": n * d}
    return copies * flops, copies * sum(operands.values()) * itemsize
