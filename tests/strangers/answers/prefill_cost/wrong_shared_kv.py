# Wrong: one head of keys and values for all (as in MQA); "every one has keys and values of its own".
# Shows in the bytes for heads > 1.


def prefill_cost(batch: int, n: int, heads: int, d: int, itemsize: int) -> tuple[int, int]:
    flops = 2 * batch * heads * n * n * (d + d)
    q_and_o, k_and_v = 2 * batch * heads * n * d, 2 * batch * n * d
    return flops, (q_and_o + k_and_v) * itemsize
