# Wrong: shared keys are taken to be multiplied once for all heads of a group.
# Breaks: flops "counted as in `prefill_cost`": every query head has its own products.
def decode_cost(batch, n, heads, kv_heads, d, itemsize):
    flops = 4 * batch * kv_heads * n * d
    return flops, batch * d * (2 * heads + 2 * kv_heads * n) * itemsize
