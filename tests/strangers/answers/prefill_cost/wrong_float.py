# WRONG: n**2.0 makes floats of 53 bits, so the flops are not exact from about n = 10^8 + 1 on
def prefill_cost(batch: int, n: int, heads: int, d: int, itemsize: int) -> tuple[int, int]:
    return int(4.0 * batch * heads * d * n**2.0), 4 * batch * heads * n * d * itemsize
